import { z } from 'zod';
import { call } from '../call.ts';

/** How long a device keeps what it stores readable without contact with the server. */
export const DEVICE_DAYS = 7;

/** How long the server hands out the key of a device that does not ask for it, for what was written there. */
export const DEVICE_KEY_DAYS = 30;

/** Pages ask for it on their own, so it does not keep an idle session alive. */
export const getDeviceKey = call({
  method: 'POST',
  path: '/api/device-key',
  access: 'user',
  summary:
    'The key with which a browser encrypts what it keeps for its user without a network. With the id of an earlier key the same one, unless it was dropped: then, and without an id, a new one.',
  body: z.object({ id: z.uuid().optional() }),
  response: z.strictObject({
    id: z.uuid(),
    /** 32 bytes in base64. */
    key: z.string(),
  }),
  polled: true,
});
