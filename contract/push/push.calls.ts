import { z } from 'zod';
import { call } from '../call.ts';
import { pushKind } from './push-message.ts';

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'Please send base64url')
    .max(max);

/** As the browser gives it. */
export const pushSubscription = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).max(1_000),
  keys: z.strictObject({ p256dh: base64url(100), auth: base64url(40) }),
});
export type PushSubscriptionBody = z.infer<typeof pushSubscription>;

export const pushSettings = z.strictObject({
  /** What the viewer is told of. */
  kinds: z.array(pushKind),
  /** Whether the text names the business and says what it is about. */
  details: z.boolean(),
  /** Also in the evening, on weekends and on bank holidays. */
  atAnyTime: z.boolean(),
});
export type PushSettings = z.infer<typeof pushSettings>;

const push = z.strictObject({
  /** The key with which a browser subscribes, as base64url. */
  publicKey: z.string(),
  settings: pushSettings,
  /** The address at the push service by which the browser of this session rings; null where it does not. */
  endpoint: z.string().nullable(),
});

export const getPush = call({
  method: 'GET',
  path: '/api/push',
  access: 'user',
  summary:
    "What the viewer's devices show while Highstreet is closed, and whether the browser of this session is one of them.",
  response: push,
});

export const changePushSettings = call({
  method: 'PATCH',
  path: '/api/push',
  access: 'user',
  summary: "Changes what the viewer's devices show while Highstreet is closed.",
  body: pushSettings
    .partial()
    .refine((settings) => Object.values(settings).some((value) => value !== undefined), 'Please send a setting'),
  response: push,
});

export const addPushSubscription = call({
  method: 'PUT',
  path: '/api/push/subscription',
  access: 'user',
  summary: "Has the browser of this session ring for the viewer. Refused for addresses that are not a push service's.",
  body: pushSubscription,
  response: push,
});

export const removePushSubscription = call({
  method: 'DELETE',
  path: '/api/push/subscription',
  access: 'user',
  summary: 'Has the browser of this session ring no more.',
  response: push,
});
