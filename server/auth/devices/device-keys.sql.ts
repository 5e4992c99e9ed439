import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { deviceKeys, sessions } from '#server/schema/users.ts';

/**
 * Registers the key of a device, or finds it again, for this session. Returns its id: another one where the key was
 * dropped or belongs to somebody else; undefined once the session has ended. A key that is not in the table is registered:
 * it is younger than the backup that was restored, and opens only what its own user has written.
 */
export async function registerDeviceKey(
  tx: Db,
  { userId, sessionId, id }: { userId: number; sessionId: string; id: string },
): Promise<string | undefined> {
  const [session] = await lockSessions(tx, eq(sessions.id, sessionId));
  if (!session) return undefined;
  const [known] = await tx
    .insert(deviceKeys)
    .values({ id, userId })
    .onConflictDoUpdate({
      target: deviceKeys.id,
      set: { lastUsedAt: sql`now()` },
      setWhere: and(eq(deviceKeys.userId, userId), isNull(deviceKeys.droppedAt)),
    })
    .returning({ id: deviceKeys.id });
  const [{ id: found } = { id }] = known ? [known] : await tx.insert(deviceKeys).values({ userId }).returning();
  await tx.update(sessions).set({ deviceKey: found }).where(eq(sessions.id, sessionId));
  return found;
}

/** When a user ends a session: what the device has stored can never be read again. An expired session keeps its key. */
export async function dropDeviceKey(tx: Db, sessionId: string): Promise<void> {
  const [session] = await lockSessions(tx, eq(sessions.id, sessionId));
  if (session?.deviceKey) await drop(tx, eq(deviceKeys.id, session.deviceKey));
}

/** Of all devices of a user, except the one of this session. */
export async function dropDeviceKeys(tx: Db, userId: number, exceptSession = ''): Promise<void> {
  const ended = await lockSessions(tx, eq(sessions.userId, userId));
  const kept = ended.find(({ id }) => id === exceptSession)?.deviceKey;
  await drop(tx, and(eq(deviceKeys.userId, userId), kept ? ne(deviceKeys.id, kept) : undefined));
}

/** A device may be getting its key at the moment. */
const lockSessions = (tx: Db, condition: SQL) =>
  tx.select({ id: sessions.id, deviceKey: sessions.deviceKey }).from(sessions).where(condition).for('update');

const drop = (tx: Db, condition: SQL | undefined) =>
  tx
    .update(deviceKeys)
    .set({ droppedAt: sql`now()` })
    .where(and(condition, isNull(deviceKeys.droppedAt)));
