import { z } from 'zod';
import { call } from '../call.ts';
import { moment, pathId } from '../fields.ts';
import { currentPassword as password } from './proof.calls.ts';

export const RECOVERY_CODES = 10;

const code = z.string('Please enter the code').trim().min(1, 'Please enter the code').max(50);

const codesState = z.strictObject({
  /** Null where one-time codes are not set up. */
  since: moment.nullable(),
  recoveryCodesLeft: z.number(),
});
export type CodesState = z.infer<typeof codesState>;

export const getCodes = call({
  method: 'GET',
  path: '/api/account/codes',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Whether the viewer signs in with one-time codes.',
  response: codesState,
});

export const setUpCodes = call({
  method: 'POST',
  path: '/api/account/codes/setup',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Makes a secret for an authenticator app. It counts once a code of it is confirmed.',
  response: z.strictObject({
    /** To type it into the app. */
    key: z.string(),
    /** To scan it: the squares as the path of an SVG. */
    qr: z.strictObject({ size: z.number(), path: z.string() }),
  }),
});

const newRecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()).length(RECOVERY_CODES) });

export const confirmCodes = call({
  method: 'POST',
  path: '/api/account/codes/confirm',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Turns one-time codes on with a first code. The recovery codes are in no later response.',
  body: z.strictObject({ code, password }),
  response: newRecoveryCodes,
});

export const renewRecoveryCodes = call({
  method: 'POST',
  path: '/api/account/codes/recovery',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Makes new recovery codes. The former ones no longer work.',
  body: z.strictObject({ code, password }),
  response: newRecoveryCodes,
});

export const removeCodes = call({
  method: 'POST',
  path: '/api/account/codes/remove',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Turns one-time codes off.',
  body: z.strictObject({ code, password }),
  response: codesState,
});

export const listUsersWithCodes = call({
  method: 'GET',
  path: '/api/users/codes',
  access: 'admin',
  summary: 'The ids of the users who sign in with one-time codes or passkeys.',
  response: z.array(z.number()),
});

export const removeCodesOfUser = call({
  method: 'DELETE',
  path: '/api/users/:id/codes',
  access: 'admin',
  summary: 'Removes the one-time codes and passkeys of a user who has lost them, and tells them by e-mail.',
  needsProof: true,
  params: z.object({ id: pathId }),
  response: z.undefined(),
  success: 204,
});
