import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { describeSecret, findStep, newCodeSecret, newRecoveryCodes, normalizeRecoveryCode } from './one-time-codes.ts';

// RFC 6238, appendix B: the last six digits of the codes of the secret "12345678901234567890" for SHA-1.
const SECRET = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer as ArrayBuffer }).base32;
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
];
const at = (seconds: number) => new Date(seconds * 1_000);

test.each(VECTORS)('at %i s the code is %s, for 30 seconds before and after', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(findStep(SECRET, code, at(seconds))).toBe(step);
  expect(findStep(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)}`, at(seconds))).toBe(step);
  expect(findStep(SECRET, code, at(seconds + 30))).toBe(step);
  expect(findStep(SECRET, code, at(seconds - 30))).toBe(step);
  expect(findStep(SECRET, code, at(seconds + 60 + 30))).toBeUndefined();
});

test.each(['', '12345', '1234567', 'abcdef', '287083'])('"%s" is no code', (code) => {
  expect(findStep(SECRET, code, at(59))).toBeUndefined();
});

test('secrets are 160 random bits, and the QR code holds the address that apps read', () => {
  const secret = newCodeSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newCodeSecret()).not.toBe(secret);
  const { key, qr } = describeSecret(secret, 'priya');
  expect(key.replaceAll(' ', '')).toBe(secret);
  expect(qr.size).toBeGreaterThan(40);
  expect(qr.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect(findStep(secret, code, new Date())).toBeTypeOf('number');
});

test('recovery codes are ten different ones, and are known however they are typed', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-hj-km-np-z2-9]{5}-[a-hj-km-np-z2-9]{5}$/);
  expect(normalizeRecoveryCode(' K7M2P X9QRT ')).toBe(normalizeRecoveryCode('k7m2p-x9qrt'));
});
