import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Passkey } from '#contract/account/passkeys.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { passkeys, users } from '#server/schema/users.ts';

const { id, userId, name, credentialId, publicKey, counter, transports, synced, createdAt, lastUsedAt } = passkeys;

export interface NewPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  synced: boolean;
}

export const listPasskeysOf = (db: Db, user: number): Promise<Passkey[]> =>
  db.select({ id, name, synced, createdAt, lastUsedAt }).from(passkeys).where(eq(userId, user)).orderBy(asc(createdAt));

/** As the browser knows them. */
export const listCredentials = (db: Db, user: number) =>
  db.select({ id: credentialId, transports }).from(passkeys).where(eq(userId, user));

export const countPasskeys = (db: Db, user: number) => db.$count(passkeys, eq(userId, user));

/** False where an account has it already. */
export async function insertPasskey(tx: Db, row: NewPasskey & { userId: number; name: string }): Promise<boolean> {
  const inserted = await tx.insert(passkeys).values(row).onConflictDoNothing().returning({ id });
  return inserted.length > 0;
}

export async function findPasskey(db: Db, credential: string) {
  const [found] = await db
    .select({ id, userId, credentialId, publicKey, counter, active: users.active })
    .from(passkeys)
    .innerJoin(users, eq(users.id, userId))
    .where(and(eq(credentialId, credential), isNull(users.deletedAt)));
  return found;
}

const ofActiveUser = sql`exists (select from users where users.id = ${userId} and users.active)`;

/** False where it was removed, its user was deactivated, or it was used in the same way before. A passkey that is synced between devices always counts 0. */
export async function recordUse(tx: Db, used: { id: string; counter: number; synced: boolean }): Promise<boolean> {
  const recorded = await tx
    .update(passkeys)
    .set({ counter: used.counter, synced: used.synced, lastUsedAt: sql`now()` })
    .where(
      and(eq(id, used.id), ofActiveUser, sql`(${counter} < ${used.counter} or ${counter} = 0 and ${used.counter} = 0)`),
    )
    .returning({ id });
  return recorded.length > 0;
}

export async function setPasskeyName(tx: Db, user: number, passkey: string, next: string): Promise<boolean> {
  const renamed = await tx
    .update(passkeys)
    .set({ name: next })
    .where(and(eq(id, passkey), eq(userId, user)))
    .returning({ id });
  return renamed.length > 0;
}

export async function deletePasskey(tx: Db, user: number, passkey: string): Promise<boolean> {
  const deleted = await tx
    .delete(passkeys)
    .where(and(eq(id, passkey), eq(userId, user)))
    .returning({ id });
  return deleted.length > 0;
}

/** Returns how many. */
export async function deletePasskeys(tx: Db, user: number): Promise<number> {
  const { rowCount } = await tx.delete(passkeys).where(eq(userId, user));
  return rowCount ?? 0;
}

/** So that two of a user's passkeys are not added or removed at once. */
export const lockUser = (tx: Db, user: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, user)).for('no key update');
