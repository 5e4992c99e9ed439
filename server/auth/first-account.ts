import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import { DEFAULT_MONTHLY_GOAL, type firstUser, type ManagedUser } from '#contract/users/user.ts';
import { audit } from '#server/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hashSecret } from '#server/kit/secrets.ts';
import { anyUser, insertUser } from '#server/users/users.sql.ts';
import type { Passwords } from './passwords.ts';

// Any number will do, as long as nothing else locks it.
const FIRST_ACCOUNT_LOCK = 7_301_001;
const MAX_WRONG_CODES = 5;

export type SetupCode = ReturnType<typeof setupCode>;

/** Unless only this machine can reach the server, the first visitor must show that they can read its output. */
export function setupCode(local: boolean) {
  const code = local ? undefined : randomBytes(12).toString('base64url');
  let wrong = 0;
  return {
    code,
    required: code !== undefined,
    require: (given: string | undefined) => {
      if (code === undefined) return;
      if (wrong >= MAX_WRONG_CODES) {
        throw new Refusal('forbidden', 'Too many wrong set-up codes. Restart the server to get a new one.');
      }
      if (timingSafeEqual(Buffer.from(hashSecret(given ?? '')), Buffer.from(hashSecret(code)))) return;
      wrong += 1;
      throw new Refusal('forbidden', 'The set-up code is not right. The server printed it when it started.');
    },
  };
}

const closed = () =>
  new Refusal('registration_closed', 'Registration is closed. Accounts are issued by an administrator.');

export async function requireRegistrationOpen(db: Db) {
  if (await anyUser(db)) throw closed();
}

/** Creates the first administrator. Two at the same moment make one. */
export async function createFirstAccount(
  db: Db,
  passwords: Passwords,
  given: z.output<typeof firstUser>,
  ip: string,
  opened: (tx: Db, user: ManagedUser) => Promise<void>,
): Promise<ManagedUser> {
  const password = await passwords.hash(given.password);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`);
    await requireRegistrationOpen(tx);
    const user = await insertUser(tx, {
      username: given.username,
      email: given.email,
      fullName: given.fullName,
      role: 'admin',
      monthlyGoal: DEFAULT_MONTHLY_GOAL,
      password,
    });
    await audit(tx, { event: 'user_created', actorId: user.id, subject: { type: 'user', id: user.id }, ip });
    await opened(tx, user);
    return user;
  });
}
