import { and, eq, sql } from 'drizzle-orm';
import { FAILURES_PER_LOCK } from '#contract/auth/lockout.ts';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Env } from '#server/kit/env.ts';
import { users } from '#server/schema/users.ts';
import { clearFailures } from '#server/users/users.sql.ts';
import {
  type CountedAttempt,
  countAccountAttempt,
  countInWindow,
  countUnknownAttempt,
  readWindow,
  secondsUntilUnlocked,
} from './attempts.sql.ts';
import { hashSignInName } from './derived-keys.ts';
import type { Passwords } from './passwords.ts';

const FAILURES_PER_IP = 100;
const IP_WINDOW_MINUTES = 15;

export interface PasswordDeps {
  db: Db;
  env: Env;
  passwords: Passwords;
  nameKey: string;
}

interface Attempt {
  /** A username or an e-mail. */
  name: string;
  password: string;
  ip: string;
  /** Who is signed in already, for the audit. */
  actorId?: number | undefined;
}

export interface VerifiedPassword {
  account: { id: number; password: string };
  /** The number of this attempt since the last success. */
  count: number;
  /** The hash to store, made with the current parameters. */
  rehashed: string;
}

export const invalidCredentials = () => new Refusal('invalid_credentials', 'Invalid username or password');
const tooManyAttempts = (retryAfter: number) =>
  new Refusal('too_many_attempts', 'Too many failed attempts. Please try again later or reset your password.', {
    retryAfter,
  });

/**
 * Verifies a password and counts a failure, which may lock the account. Failures for unknown names look the same as for
 * existing ones. What the password allows begins with `acceptPassword`.
 */
export async function verifyPassword(
  { db, passwords, nameKey }: PasswordDeps,
  { name, password, ip, actorId }: Attempt,
): Promise<VerifiedPassword> {
  await requireFewFailures(db, ip);

  // Admitted before the attempt is counted: being refused with `busy` is no failure.
  return passwords.admit(async ({ verify, hash }) => {
    const attempt = await countAttempt({ db, nameKey }, name);
    const { account } = attempt;
    if (!(await verify(account?.password, password)) || !account) {
      await recordFailure(db, { ip, count: attempt.count, userId: account?.id, actorId });
      throw invalidCredentials();
    }
    if (!account.active) {
      // The right password is no failure.
      await clearFailures(db, account.id);
      throw new Refusal('account_inactive', 'This account is inactive. Please contact an administrator.');
    }
    return {
      account,
      count: attempt.count,
      rehashed: passwords.needsRehash(account.password) ? await hash(password) : account.password,
    };
  });
}

/** Counts an attempt before it is judged; refused while the account, or the unknown name, is locked. */
export async function countAttempt(
  { db, nameKey }: Pick<PasswordDeps, 'db' | 'nameKey'>,
  name: string,
): Promise<CountedAttempt> {
  const unknownKey = `unknown name ${hashSignInName(nameKey, name)}`;
  const attempt = (await countAccountAttempt(db, name)) ?? (await countUnknownAttempt(db, unknownKey));
  if (attempt === 'locked') throw tooManyAttempts(await secondsUntilUnlocked(db, name, unknownKey));
  return attempt;
}

/** The password alone does not end the count of an account with codes: else each right one would allow further guesses. */
const countAfterPassword = sql`case when exists (
    select from one_time_codes where user_id = ${users.id} and confirmed_at is not null)
  then greatest(${users.failedLoginAttempts} - 1, 0) else 0 end`;

/** Ends the count of failures. Refused unless the password is still the one that was verified and the account is active. */
export async function acceptPassword(tx: Db, { account, rehashed }: VerifiedPassword): Promise<void> {
  const accepted = await tx
    .update(users)
    .set({ failedLoginAttempts: countAfterPassword, lockedUntil: null, password: rehashed })
    .where(and(eq(users.id, account.id), eq(users.password, account.password), sql`${users.active}`))
    .returning({ id: users.id });
  if (!accepted.length) throw invalidCredentials();
}

const toIpKey = (ip: string) => `sign-in failures of ${ip}`;

/** Refuses where too many sign-ins have failed from this address. */
export async function requireFewFailures(db: Db, ip: string): Promise<void> {
  const fromIp = await readWindow(db, toIpKey(ip));
  if (fromIp.count >= FAILURES_PER_IP) throw tooManyAttempts(fromIp.secondsLeft);
}

interface Failure {
  ip: string;
  /** Of the account or name; none for a passkey, which cannot be guessed. */
  count?: number;
  userId?: number | undefined;
  actorId?: number | undefined;
}

/** A failed attempt, which may have locked the account. */
export async function recordFailure(db: Db, { ip, count, userId, actorId }: Failure) {
  await db.transaction(async (tx) => {
    await countInWindow(tx, toIpKey(ip), IP_WINDOW_MINUTES);
    const subject = userId === undefined ? {} : { subject: { type: 'user' as const, id: userId } };
    const details = { actorId: actorId ?? null, ip, ...subject };
    await audit(tx, { event: 'sign_in_failed', outcome: 'refused', ...details });
    if (count && count % FAILURES_PER_LOCK === 0) await audit(tx, { event: 'account_locked', ...details });
  });
}
