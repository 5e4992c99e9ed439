import { z } from 'zod';
import { call } from '../call.ts';
import { ownUser } from '../users/user.ts';
import { passkeyResponse, requestOptions } from './passkey-json.ts';

// Apart from the calls of the account's page, because the sign-in page loads them.

export const startPasskeySignIn = call({
  method: 'POST',
  path: '/api/login/passkey/options',
  access: 'anyone',
  summary: 'What a passkey signs, to sign in without a username.',
  response: requestOptions,
});

export const signInWithPasskey = call({
  method: 'POST',
  path: '/api/login/passkey',
  access: 'anyone',
  summary: 'Signs in with a passkey, which counts as both factors, and sets the session cookie.',
  body: z.strictObject({ passkey: passkeyResponse }),
  response: ownUser,
});
