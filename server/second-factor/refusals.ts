import { Refusal } from '#contract/errors.ts';

const WRONG_CODE = 'The code is not correct, or was used already';

export const codeRequired = () => new Refusal('code_required', 'Please enter the code of your authenticator app');

export const passkeyRequired = () =>
  new Refusal('passkey_required', 'The password alone is not enough. Please sign in with your passkey.');

export const secondFactorsOff = () => new Refusal('forbidden', 'An administrator has switched off second factors');

export const invalidCode = () =>
  new Refusal('invalid_code', WRONG_CODE, { errors: [{ path: 'code', message: WRONG_CODE }] });
