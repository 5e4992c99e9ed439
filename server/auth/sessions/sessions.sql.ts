import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { SecurityRules } from '#contract/auth/security-rules.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Caller } from '#server/kit/http/serve.ts';
import { publishNotifications } from '#server/live/publish.ts';
import { sessions, users } from '#server/schema/users.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { isFactorOverdue } from './factor-due.sql.ts';

const MAX_SESSIONS_PER_USER = 10;

/** Neither expired nor idle for too long, and of an active user. */
export const isSessionValid = and(
  sql`${sessions.expiresAt} > now()`,
  sql`${sessions.lastUsedAt} > now() - make_interval(hours => ${sessions.idleHours})`,
  sql`${users.active}`,
);

export type FoundSession = Caller & { stale: boolean };

/**
 * Finds the user of a session. Read on every request, so that a changed role applies at once, and prepared for that
 * reason.
 */
export function prepareFindSession(db: Db): (id: string) => Promise<FoundSession | undefined> {
  const query = db
    .select({
      id: users.id,
      role: users.role,
      limited: isFactorOverdue,
      // Updating the time of use once a minute is exact enough for hours, and saves most requests a write.
      stale: sql<boolean>`${sessions.lastUsedAt} < now() - interval '1 minute'`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sql.placeholder('id')), isSessionValid))
    .prepare('find_session');
  return async (id) => (await query.execute({ id }))[0];
}

export async function touchSession(db: Db, id: string): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: sql`now()` }).where(eq(sessions.id, id));
}

/** Returns whether the session is still there. It cannot be ended before the transaction does. */
export async function lockSession(tx: Db, id: string): Promise<boolean> {
  const [found] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, id)).for('share');
  return found !== undefined;
}

/** What the provider of single sign-on says of a session. */
export interface SsoSession {
  issuer: string;
  subject: string | undefined;
  sessionId: string | undefined;
  /** When the user proved there who they are, in seconds. */
  authTime: number | undefined;
}

export async function insertSession(
  db: Db,
  session: { id: string; userId: number; ip: string; userAgent: string | undefined; sso?: SsoSession | undefined },
): Promise<{ days: number }> {
  const { security } = await readTeamSettings(db);
  const { sessionDays } = security;
  await db.insert(sessions).values({
    id: session.id,
    userId: session.userId,
    ip: session.ip,
    userAgent: session.userAgent?.slice(0, 300) ?? null,
    idleHours: toIdleHours(security),
    expiresAt: sql`now() + make_interval(days => ${sessionDays})`,
    ...(session.sso && toSsoColumns(session.sso)),
  });
  await revoke(
    db,
    sql`${sessions.userId} = ${session.userId} and ${sessions.id} not in (
      select s.id from sessions s where s.user_id = ${session.userId}
      order by s.created_at desc, (s.id = ${session.id}) desc limit ${MAX_SESSIONS_PER_USER})`,
  );
  return { days: sessionDays };
}

/** For the sessions that are open when an administrator changes how long they last. */
export async function applySessionRules(tx: Db, security: SecurityRules): Promise<void> {
  // Those that have ended must not come back.
  const hasEnded = sql`${sessions.expiresAt} <= now() or ${sessions.lastUsedAt} <= now() - make_interval(hours => ${sessions.idleHours})`;
  await tx.delete(sessions).where(hasEnded);
  const expiresAt = sql`${sessions.createdAt} + make_interval(days => ${security.sessionDays})`;
  await tx.update(sessions).set({ idleHours: toIdleHours(security), expiresAt });
}

/** Without a limit of its own, as long as the session lasts. */
const toIdleHours = ({ idleHours, sessionDays }: SecurityRules) => idleHours ?? 24 * sessionDays;

function toSsoColumns({ issuer, subject, sessionId, authTime }: SsoSession) {
  const columns = { ssoIssuer: issuer, ssoSubject: subject ?? null, ssoId: sessionId ?? null };
  if (authTime === undefined) return columns;
  // Those who are signed in there already come back without having entered anything.
  return { ...columns, provenAt: sql`least(now(), to_timestamp(${authTime}))` };
}

export const deleteSession = (db: Db, id: string) => revoke(db, eq(sessions.id, id));

export async function deleteUserSessions(db: Db, userId: number, exceptId = ''): Promise<number[]> {
  const userIds = await revoke(db, sql`${sessions.userId} = ${userId} and ${sessions.id} <> ${exceptId}`);
  // Also the devices whose session has expired: they still ring.
  await db.execute(sql`delete from push_subscriptions where user_id = ${userId}
    and session_id not in (select public_id from sessions where user_id = ${userId})`);
  return userIds;
}

/** The sessions that an identity of single sign-on has opened; with its `sessionId`, only those of that session there. */
export const deleteSsoSessions = (db: Db, { issuer, subject, sessionId }: Omit<SsoSession, 'authTime'>) =>
  revoke(
    db,
    sql`${sessions.ssoIssuer} = ${issuer}
      and ${subject === undefined ? sql`true` : eq(sessions.ssoSubject, subject)}
      and ${sessionId === undefined ? sql`true` : eq(sessions.ssoId, sessionId)}`,
  );

/** All that a user has opened by single sign-on. */
export const deleteSsoSessionsOf = (db: Db, userId: number) =>
  revoke(db, sql`${sessions.userId} = ${userId} and ${sessions.ssoIssuer} is not null`);

/** Publishes an event to the users, so that the open event streams of these sessions end at once (event-streams.ts). */
async function revoke(db: Db, condition: SQL): Promise<number[]> {
  // What rings on the devices of these sessions ends with them.
  const { rows } = await db.execute<{ userId: number }>(sql`
    with revoked as (delete from sessions where ${condition} returning user_id, public_id),
      silenced as (delete from push_subscriptions where session_id in (select public_id from revoked))
    select distinct user_id as "userId" from revoked`);
  const userIds = rows.map(({ userId }) => userId);
  await publishNotifications(db, userIds);
  return userIds;
}

/** Gives a session a new id, so that its old cookie is no longer valid. */
export async function rotateSession(db: Db, id: string, newId: string): Promise<void> {
  const rotated = await db
    .update(sessions)
    .set({ id: newId })
    .where(eq(sessions.id, id))
    .returning({ userId: sessions.userId });
  for (const { userId } of rotated) await publishNotifications(db, [userId]);
}
