import { z } from 'zod';
import { call } from '../call.ts';
import { line, moment } from '../fields.ts';
import { creationOptions, passkeyResponse } from './passkey-json.ts';
import { currentPassword } from './proof.calls.ts';

export const MAX_PASSKEYS = 20;

const name = line(60, 'Name', 'Please enter a name').min(1, 'Please enter a name');

const passkey = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  /** Whether other devices of the user have it as well. */
  synced: z.boolean(),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

const passkeys = z.strictObject({
  /** The address at which passkeys work. */
  site: z.string(),
  passkeys: z.array(passkey),
});

const params = z.object({ id: z.uuid() });

export const listPasskeys = call({
  method: 'GET',
  path: '/api/account/passkeys',
  access: 'user',
  withoutSecondFactor: true,
  summary: "The viewer's passkeys.",
  response: passkeys,
});

export const startPasskey = call({
  method: 'POST',
  path: '/api/account/passkeys/options',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'What a browser needs to make a passkey of the viewer.',
  body: z.strictObject({ password: currentPassword }),
  response: creationOptions,
});

export const addPasskey = call({
  method: 'POST',
  path: '/api/account/passkeys',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Adds the passkey that the browser has made.',
  body: z.strictObject({ name: name.optional(), passkey: passkeyResponse }),
  response: passkeys,
  success: 201,
});

export const renamePasskey = call({
  method: 'PATCH',
  path: '/api/account/passkeys/:id',
  access: 'user',
  withoutSecondFactor: true,
  summary: "Renames one of the viewer's passkeys.",
  params,
  body: z.strictObject({ name }),
  response: passkeys,
});

export const removePasskey = call({
  method: 'DELETE',
  path: '/api/account/passkeys/:id',
  access: 'user',
  withoutSecondFactor: true,
  summary: "Removes one of the viewer's passkeys, unless they cannot sign in without it.",
  params,
  response: passkeys,
});
