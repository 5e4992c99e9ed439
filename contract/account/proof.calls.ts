import { z } from 'zod';
import { call } from '../call.ts';
import { passkeyResponse, requestOptions } from './passkey-json.ts';

/** How long what a user proved counts for what needs it again. */
export const PROOF_MINUTES = 15;

const PASSWORD_REQUIRED = 'Please enter your password';

/** Of an account without a password, a recent proof by a passkey takes its place. */
export const currentPassword = z.string(PASSWORD_REQUIRED).min(1, PASSWORD_REQUIRED).optional();

const proof = z.union([
  z.strictObject({ password: z.string(PASSWORD_REQUIRED).min(1, PASSWORD_REQUIRED) }),
  z.strictObject({ code: z.string().trim().min(1, 'Please enter the code').max(50) }),
  z.strictObject({ passkey: passkeyResponse }),
]);

export const getProofs = call({
  method: 'GET',
  path: '/api/account/proof',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'How the viewer can prove again who they are.',
  response: z.strictObject({
    password: z.boolean(),
    code: z.boolean(),
    passkey: z.boolean(),
    /** The name of the provider, for users who sign in with it; to sign in again there is a proof. */
    sso: z.string().nullable(),
  }),
});

export const startPasskeyProof = call({
  method: 'POST',
  path: '/api/account/proof/passkey',
  access: 'user',
  withoutSecondFactor: true,
  summary: "What one of the viewer's passkeys signs, to prove who they are.",
  response: requestOptions,
});

export const prove = call({
  method: 'POST',
  path: '/api/account/proof',
  access: 'user',
  withoutSecondFactor: true,
  summary: `Proves again who the viewer is, which counts for ${PROOF_MINUTES} minutes, for what needs a recent proof.`,
  body: proof,
  response: z.undefined(),
  success: 204,
});
