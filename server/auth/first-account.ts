import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import { DEFAULT_MONTHLY_GOAL, type firstUser } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hashSecret } from '#server/kit/secrets.ts';
import { saveTeamSetting } from '#server/settings/team-settings.sql.ts';
import { hasUsers, insertUser } from '#server/users/users.sql.ts';
import type { Passwords } from './passwords.ts';
import { type NewSession, type OpenedSession, openFirstSession } from './sessions/open-session.ts';

// Any number that no other code uses as an advisory lock.
const FIRST_ACCOUNT_LOCK = 7_301_001;
const MAX_WRONG_CODES = 5;

export type SetupCode = ReturnType<typeof createSetupCode>;

/** Unless only this machine can reach the server, registering needs a code that the server prints at start. */
export function createSetupCode(local: boolean) {
  const code = local ? undefined : randomBytes(12).toString('base64url');
  let wrongCodes = 0;
  return {
    code,
    required: code !== undefined,
    require: (entered: string | undefined) => {
      if (code === undefined) return;
      if (wrongCodes >= MAX_WRONG_CODES) {
        throw new Refusal('forbidden', 'Too many wrong set-up codes. Restart the server to get a new one.');
      }
      if (timingSafeEqual(Buffer.from(hashSecret(entered ?? '')), Buffer.from(hashSecret(code)))) return;
      wrongCodes += 1;
      throw new Refusal('forbidden', 'The set-up code is not right. The server printed it when it started.');
    },
  };
}

const closed = () =>
  new Refusal('registration_closed', 'Registration is closed. Accounts are issued by an administrator.');

export async function requireRegistrationOpen(db: Db) {
  if (await hasUsers(db)) throw closed();
}

interface FirstAccountDeps {
  db: Db;
  passwords: Passwords;
  clock: Clock;
  appUrl: string;
}

/**
 * Creates the first administrator and signs them in. An advisory lock lets only one of concurrent requests succeed. At an
 * https address, which a team uses, what does most harm asks for a proof from the start.
 */
export async function createFirstAccount(
  { db, passwords, clock, appUrl }: FirstAccountDeps,
  account: z.output<typeof firstUser>,
  session: NewSession,
): Promise<OpenedSession> {
  const password = await passwords.hash(account.password);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`);
    await requireRegistrationOpen(tx);
    const { id } = await insertUser(tx, {
      username: account.username,
      email: account.email,
      fullName: account.fullName,
      role: 'admin',
      monthlyGoal: DEFAULT_MONTHLY_GOAL,
      password,
    });
    await audit(tx, { event: 'user_created', actorId: id, subject: { type: 'user', id }, ip: session.ip });
    if (appUrl.startsWith('https:')) await saveTeamSetting(tx, 'security', { askAgain: true }, id, clock());
    return openFirstSession(tx, id, session);
  });
}
