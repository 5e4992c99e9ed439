import { Refusal } from '#contract/errors.ts';

const WRONG_CODE = 'The code is not correct, or was used already';

export const codeRequired = () => new Refusal('code_required', 'Please enter the code of your authenticator app');

export const invalidCode = () =>
  new Refusal('invalid_code', WRONG_CODE, { errors: [{ path: 'code', message: WRONG_CODE }] });
