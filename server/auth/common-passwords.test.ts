import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { refuseCommon } from './common-passwords.ts';

const LONG_ENOUGH = dictionary['passwords-common'].map(String).filter(({ length }) => length >= 8);
const isRefused = (password: string) =>
  refuseCommon(password, 'password').then(
    () => false,
    () => true,
  );

test('the 10,000 most common passwords are refused, however they are written, and no others', async () => {
  expect(await isRefused(LONG_ENOUGH[0] ?? '')).toBe(true);
  expect(await isRefused(LONG_ENOUGH[9_999] ?? '')).toBe(true);
  expect(await isRefused((LONG_ENOUGH[9_999] ?? '').toUpperCase())).toBe(true);
  expect(await isRefused(LONG_ENOUGH[10_000] ?? '')).toBe(false);
  expect(await isRefused('correct horse 9')).toBe(false);
});
