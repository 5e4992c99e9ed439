import { and, eq, sql } from 'drizzle-orm';
import { FAILURES_PER_LOCK } from '#contract/auth/lockout.ts';
import { Refusal } from '#contract/errors.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { users } from '#server/schema/users.ts';
import { clearFailures, findOwnUser } from '#server/users/users.sql.ts';
import {
  countAccountAttempt,
  countInWindow,
  countUnknownAttempt,
  readWindow,
  secondsUntilUnlocked,
} from './attempts.sql.ts';
import { hashSignInName } from './derived-keys.ts';
import type { Passwords } from './passwords.ts';
import { deleteSession, insertSession } from './sessions.sql.ts';

const FAILURES_PER_IP = 100;
const IP_WINDOW_MINUTES = 15;

export interface SignIn {
  name: string;
  password: string;
  ip: string;
  userAgent: string | undefined;
  /** The session of the request, which a new sign-in ends. */
  oldSession: string | undefined;
}

const invalidCredentials = () => new Refusal('invalid_credentials', 'Invalid username or password');
const tooManyAttempts = (retryAfter: number) =>
  new Refusal('too_many_attempts', 'Too many failed attempts. Please try again later or reset your password.', {
    retryAfter,
  });

/** Verifies name and password and opens a session. Failures for unknown names look the same as for existing ones. */
export async function signIn(
  { db, passwords, nameKey }: { db: Db; passwords: Passwords; nameKey: string },
  { name, password, ip, userAgent, oldSession }: SignIn,
): Promise<{ user: OwnUser; secret: string }> {
  const ipKey = `sign-in failures of ${ip}`;
  const fromIp = await readWindow(db, ipKey);
  if (fromIp.count >= FAILURES_PER_IP) throw tooManyAttempts(fromIp.secondsLeft);

  // Admitted before the attempt is counted: being refused with `busy` is no failure.
  return passwords.admit(async ({ verify, hash }) => {
    const unknownKey = `unknown name ${hashSignInName(nameKey, name)}`;
    const attempt = (await countAccountAttempt(db, name)) ?? (await countUnknownAttempt(db, unknownKey));
    if (attempt === 'locked') throw tooManyAttempts(await secondsUntilUnlocked(db, name, unknownKey));

    const { account } = attempt;
    if (!(await verify(account?.password, password)) || !account) {
      await recordFailure(db, { ip, ipKey, count: attempt.count, userId: account?.id });
      throw invalidCredentials();
    }
    if (!account.active) {
      // The right password is no failure.
      await clearFailures(db, account.id);
      throw new Refusal('account_inactive', 'This account is inactive. Please contact an administrator.');
    }

    const rehashed = passwords.needsRehash(account.password) ? await hash(password) : account.password;
    return db.transaction(async (tx) => {
      // Only if the password is still the one that was verified and the account is still active.
      const [current] = await tx
        .update(users)
        .set({ failedLoginAttempts: 0, lockedUntil: null, password: rehashed })
        .where(and(eq(users.id, account.id), eq(users.password, account.password), sql`${users.active}`))
        .returning({ id: users.id });
      const user = current && (await findOwnUser(tx, current.id));
      if (!user) throw invalidCredentials();
      if (oldSession) await deleteSession(tx, oldSession);
      const { secret, hash: id } = newSecret();
      await insertSession(tx, { id, userId: user.id, ip, userAgent });
      await audit(tx, { event: 'sign_in', actorId: user.id, subject: { type: 'user', id: user.id }, ip });
      return { user, secret };
    });
  });
}

async function recordFailure(
  db: Db,
  { ip, ipKey, count, userId }: { ip: string; ipKey: string; count: number; userId?: number | undefined },
) {
  await db.transaction(async (tx) => {
    await countInWindow(tx, ipKey, IP_WINDOW_MINUTES);
    const subject = userId === undefined ? {} : { subject: { type: 'user' as const, id: userId } };
    await audit(tx, { event: 'sign_in_failed', outcome: 'refused', ip, ...subject });
    if (count % FAILURES_PER_LOCK === 0) await audit(tx, { event: 'account_locked', ip, ...subject });
  });
}
