import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '#contract/errors.ts';

const AT_ONCE = 4;
const MAX_WAITING = 200;

/** OWASP's parameters for Argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const ARGON2_PREFIX = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$`;

const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const SCRYPT_PREFIX = '$scrypt$ln=17,r=8,p=1$';

const runScrypt = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

type Argon2 = typeof import('@node-rs/argon2');

export type Passwords = Awaited<ReturnType<typeof createPasswords>>;

export interface Hashing {
  hash: (password: string) => Promise<string>;
  /** Without a stored hash never true, but as slow as with one. */
  verify: (stored: string | undefined, password: string) => Promise<boolean>;
}

/** Hashes and verifies passwords, four at once. When too many wait, the next is refused with `busy`. */
export async function createPasswords(argon2: Argon2 | undefined) {
  const inTurn = turns();
  let admitted = 0;
  const hash = (password: string) => inTurn(() => (argon2 ? argon2.hash(password, ARGON2) : hashWithScrypt(password)));
  // Verified when no account has that name, so that the answer takes as long as for one that has.
  const dummy = await hash(randomBytes(24).toString('base64url'));
  const verify = (stored: string | undefined, password: string) =>
    inTurn(async () => {
      const good = await matches(argon2, stored ?? dummy, password);
      return good && stored !== undefined;
    });

  /** Refuses with `busy` before the work begins, and never once it has begun. */
  async function admit<T>(work: (hashing: Hashing) => Promise<T>): Promise<T> {
    if (admitted >= AT_ONCE + MAX_WAITING) {
      throw new Refusal('busy', 'Too many people are signing in at this moment. Please try again.');
    }
    admitted += 1;
    try {
      return await work({ hash, verify });
    } finally {
      admitted -= 1;
    }
  }

  return {
    admit,
    hash: (password: string) => admit((hashing) => hashing.hash(password)),
    verify: (stored: string | undefined, password: string) => admit((hashing) => hashing.verify(stored, password)),
    /** Whether a hash was made with other parameters than today's. */
    outdated: (stored: string) => !stored.startsWith(argon2 ? ARGON2_PREFIX : SCRYPT_PREFIX),
  };
}

/** Argon2 where this machine has a build of it. */
export async function loadArgon2(): Promise<Argon2 | undefined> {
  try {
    return await import('@node-rs/argon2');
  } catch {
    return undefined;
  }
}

async function matches(argon2: Argon2 | undefined, stored: string, password: string): Promise<boolean> {
  if (stored.startsWith('$scrypt$')) return matchesScrypt(stored, password);
  if (!argon2) throw new Error('This password was hashed with Argon2, which this machine lacks');
  return argon2.verify(stored, password);
}

async function hashWithScrypt(password: string) {
  const salt = randomBytes(16);
  const key = await runScrypt(password, salt, 32, SCRYPT);
  return `${SCRYPT_PREFIX}${salt.toString('base64')}$${key.toString('base64')}`;
}

async function matchesScrypt(stored: string, password: string) {
  const [, , parameters = '', salt = '', key = ''] = stored.split('$');
  const [ln = 0, r = 0, p = 0] = parameters.split(',').map((part) => Number(part.split('=')[1]));
  const expected = Buffer.from(key, 'base64');
  const given = await runScrypt(password, Buffer.from(salt, 'base64'), expected.length, {
    ...SCRYPT,
    N: 2 ** ln,
    r,
    p,
  });
  return timingSafeEqual(expected, given);
}

/** Lets a few in at once and the next ones wait their turn. */
function turns() {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= AT_ONCE) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      busy += 1;
    }
    try {
      return await work();
    } finally {
      // The turn is handed on rather than given back, so that nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}
