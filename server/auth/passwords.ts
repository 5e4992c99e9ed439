import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '#contract/errors.ts';

const MAX_CONCURRENT = 4;
const MAX_QUEUED = 200;

/** OWASP's parameters for Argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const ARGON2_PREFIX = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$`;

const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const SCRYPT_PREFIX = '$scrypt$ln=17,r=8,p=1$';

const runScrypt = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

type Argon2 = typeof import('@node-rs/argon2');

export type Passwords = Awaited<ReturnType<typeof createPasswords>>;

interface Hashing {
  hash: (password: string) => Promise<string>;
  /** Without a stored hash never true, but as slow as with one, so that timing does not show which accounts exist. */
  verify: (stored: string | undefined, password: string) => Promise<boolean>;
}

/** Hashes and verifies passwords, four at a time. When the queue is full, the next is refused with `busy`. */
export async function createPasswords(argon2: Argon2 | undefined) {
  const withSlot = createSemaphore(MAX_CONCURRENT);
  let admitted = 0;
  const hash = (password: string) =>
    withSlot(() => (argon2 ? argon2.hash(password, ARGON2) : hashWithScrypt(password)));
  // Verified when no account has that name.
  const dummy = await hash(randomBytes(24).toString('base64url'));
  const verify = (stored: string | undefined, password: string) =>
    withSlot(async () => {
      const matched = await matches(argon2, stored ?? dummy, password);
      return matched && stored !== undefined;
    });

  /** Admission control: refuses with `busy` before the work begins, never after. */
  async function admit<T>(work: (hashing: Hashing) => Promise<T>): Promise<T> {
    if (admitted >= MAX_CONCURRENT + MAX_QUEUED) {
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
    /** Whether a hash was made with other than the current parameters. */
    needsRehash: (stored: string) => !stored.startsWith(argon2 ? ARGON2_PREFIX : SCRYPT_PREFIX),
  };
}

/** Undefined on platforms without a build of Argon2. */
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
  const actual = await runScrypt(password, Buffer.from(salt, 'base64'), expected.length, {
    ...SCRYPT,
    N: 2 ** ln,
    r,
    p,
  });
  return timingSafeEqual(expected, actual);
}

function createSemaphore(slots: number) {
  const queue: (() => void)[] = [];
  let used = 0;
  return async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (used >= slots) {
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      used += 1;
    }
    try {
      return await work();
    } finally {
      // The slot passes to the next in the queue without being freed, so that no newcomer takes it in between.
      const next = queue.shift();
      if (next) next();
      else used -= 1;
    }
  };
}
