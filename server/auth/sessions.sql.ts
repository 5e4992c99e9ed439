import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { sessions, users } from '#server/kit/db/schema.ts';
import { publish } from '#server/kit/live-events.ts';

export const SESSION_DAYS = 7;
const MAX_PER_USER = 10;

const alive = sql`${sessions.expiresAt} > now() and ${sessions.lastUsedAt} > now() - interval '12 hours'`;

/** A session that can still be used: neither over nor forgotten, and of an active user. */
export const sessionLives = and(alive, sql`${users.active}`);

export type FoundSession = Viewer & { stale: boolean };

/**
 * Who a session belongs to, read afresh on every request so that a changed role bites at once. Prepared, because every
 * request asks this.
 */
export function sessionFinder(db: Db): (id: string) => Promise<FoundSession | undefined> {
  const query = db
    .select({
      id: users.id,
      role: users.role,
      // Noting the use once a minute is exact enough for twelve hours, and spares most requests a write.
      stale: sql<boolean>`${sessions.lastUsedAt} < now() - interval '1 minute'`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sql.placeholder('id')), sessionLives))
    .prepare('session_of');
  return async (id) => (await query.execute({ id }))[0];
}

export async function noteUse(db: Db, id: string): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: sql`now()` }).where(eq(sessions.id, id));
}

export async function insertSession(
  db: Db,
  session: { id: string; userId: number; ip: string; userAgent: string | undefined },
): Promise<void> {
  await db.insert(sessions).values({
    id: session.id,
    userId: session.userId,
    ip: session.ip,
    userAgent: session.userAgent?.slice(0, 300) ?? null,
    expiresAt: sql`now() + make_interval(days => ${SESSION_DAYS})`,
  });
  await revoke(
    db,
    sql`${sessions.userId} = ${session.userId} and ${sessions.id} not in (
      select s.id from sessions s where s.user_id = ${session.userId}
      order by s.created_at desc, (s.id = ${session.id}) desc limit ${MAX_PER_USER})`,
  );
}

export const deleteSession = (db: Db, id: string) => revoke(db, eq(sessions.id, id));

export const deleteSessionsOf = (db: Db, userId: number, exceptId = '') =>
  revoke(db, sql`${sessions.userId} = ${userId} and ${sessions.id} <> ${exceptId}`);

/** Announced to the user, so that the open event streams of these sessions end at once (see event-streams.ts). */
async function revoke(db: Db, which: SQL): Promise<void> {
  const revoked = await db.delete(sessions).where(which).returning({ userId: sessions.userId });
  await publish(db, [...new Set(revoked.map(({ userId }) => userId))]);
}

/** Gives a session a new id, so that the old cookie is worth nothing any more. */
export async function renameSession(db: Db, id: string, nextId: string): Promise<void> {
  const renamed = await db
    .update(sessions)
    .set({ id: nextId })
    .where(eq(sessions.id, id))
    .returning({ userId: sessions.userId });
  for (const { userId } of renamed) await publish(db, [userId]);
}
