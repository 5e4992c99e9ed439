import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import { RECOVERY_CODES } from '#contract/account/codes.calls.ts';

const PERIOD_S = 30;
const SECRET_BYTES = 20;
/** For phones whose clock is wrong by up to a minute. */
const WINDOW = 1;
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const RECOVERY_LENGTH = 10;

const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer: 'Highstreet', label, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_S });

export const newCodeSecret = () => new Secret({ size: SECRET_BYTES }).base32;

/** The period of 30 seconds that a code is of; undefined for a wrong code. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const delta = createTotp(secret).validate({
    token: code.replace(/\s/g, ''),
    timestamp: now.getTime(),
    window: WINDOW,
  });
  return delta === null ? undefined : Math.floor(now.getTime() / 1_000 / PERIOD_S) + delta;
}

/** The key as people type it, and the QR code as the path of an SVG. */
export function describeSecret(secret: string, username: string) {
  const { data, size } = encode(createTotp(secret, username).toString(), { border: 4 });
  return { key: (secret.match(/.{1,4}/g) ?? []).join(' '), qr: { size, path: toPath(data) } };
}

/** The dark squares of each row, as runs. */
function toPath(rows: boolean[][]): string {
  const runs = rows.flatMap((row, y) => {
    const starts = row.flatMap((dark, x) => (dark && !row[x - 1] ? [x] : []));
    return starts.map((x) => {
      const end = row.indexOf(false, x);
      const width = (end < 0 ? row.length : end) - x;
      return `M${x} ${y}h${width}v1h-${width}z`;
    });
  });
  return runs.join('');
}

/** Such as "k7m2p-x9qrt". */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return `${letters.slice(0, RECOVERY_LENGTH / 2)}-${letters.slice(RECOVERY_LENGTH / 2)}`;
  });

/** A recovery code, however it is typed. */
export const normalizeRecoveryCode = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');
