import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashSecret } from '#server/kit/secrets.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** What 32 bytes and a CRC32 take in base 62. */
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^hs_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/**
 * A token for a program, and what is stored of it. A double click selects all of it, and its checksum tells programs that
 * look for secrets in files that it is one.
 */
export function newTokenSecret() {
  const random = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH);
  const secret = `hs_${random}${checksum(random)}`;
  return { secret, hash: hashSecret(secret), lastFour: secret.slice(-4) };
}

/** The hash of a token as it is stored; undefined for a text that cannot be one. */
export function readTokenSecret(text: string): string | undefined {
  const [, random = '', given] = FORM.exec(text) ?? [];
  return given !== undefined && given === checksum(random) ? hashSecret(text) : undefined;
}

const checksum = (random: string) => toBase62(BigInt(crc32(random)), CHECKSUM_LENGTH);

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
}
