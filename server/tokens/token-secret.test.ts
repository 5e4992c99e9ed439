import { expect, test } from 'vitest';
import { hashSecret } from '#server/kit/secrets.ts';
import { newTokenSecret, readTokenSecret } from './token-secret.ts';

test('a token is one word that begins with hs_, and is stored as a hash with its last four characters', () => {
  const { secret, hash, lastFour } = newTokenSecret();
  expect(secret).toMatch(/^hs_[0-9A-Za-z]{49}$/);
  expect(hash).toBe(hashSecret(secret));
  expect(secret.endsWith(lastFour)).toBe(true);
  expect(lastFour).toHaveLength(4);
  expect(newTokenSecret().secret).not.toBe(secret);
});

test('many tokens are all well-formed', () => {
  for (let nth = 0; nth < 500; nth += 1) {
    const { secret, hash } = newTokenSecret();
    expect(readTokenSecret(secret)).toBe(hash);
  }
});

const ZEROS = `hs_${'0'.repeat(43)}`;
/** As zlib of Python says. */
const CRC_OF_ZEROS = 2018072207;

test('the checksum is a CRC32 of the random part, in base 62', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let [rest, expected] = [CRC_OF_ZEROS, ''];
  while (expected.length < 6) {
    expected = digits.charAt(rest % 62) + expected;
    rest = Math.floor(rest / 62);
  }
  expect(readTokenSecret(`${ZEROS}${expected}`)).toBe(hashSecret(`${ZEROS}${expected}`));
});

const { secret } = newTokenSecret();
const other = (character: string | undefined) => (character === 'a' ? 'b' : 'a');

test.each([
  ['cut short', secret.slice(0, -1)],
  ['with one character more', `${secret}0`],
  ['with a changed character', `hs_${other(secret[3])}${secret.slice(4)}`],
  ['with a changed checksum', `${secret.slice(0, -1)}${other(secret.at(-1))}`],
  ['without its beginning', secret.slice(3)],
  ['of another product', `gh_${secret.slice(3)}`],
  ['with a line break', `${secret}\n`],
  ['empty', ''],
])('a text %s is no token', (_, text) => {
  expect(readTokenSecret(text)).toBeUndefined();
});
