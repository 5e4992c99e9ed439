import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { invitations, ssoIdentities, users } from '#server/schema/users.ts';

type Identity = Pick<typeof ssoIdentities.$inferSelect, 'issuer' | 'subject'>;

const isIdentity = ({ issuer, subject }: Identity) =>
  and(eq(ssoIdentities.issuer, issuer), eq(ssoIdentities.subject, subject));
const account = { id: users.id, role: users.role, username: users.username };

export async function isKnown(db: Db, identity: Identity): Promise<boolean> {
  return (await db.$count(ssoIdentities, isIdentity(identity))) > 0;
}

/** The account of an identity, and notes that it was used. */
export async function findAccount(tx: Db, identity: Identity) {
  const [found] = await tx
    .update(ssoIdentities)
    .set({ lastUsedAt: sql`now()` })
    .from(users)
    .where(and(isIdentity(identity), eq(users.id, ssoIdentities.userId), isNull(users.deletedAt)))
    .returning(account);
  return found;
}

/** The account of an address, unless another identity of the provider belongs to it. */
export async function findUnconnected(tx: Db, email: string, issuer: string) {
  const [found] = await tx
    .select(account)
    .from(users)
    .leftJoin(ssoIdentities, and(eq(ssoIdentities.userId, users.id), eq(ssoIdentities.issuer, issuer)))
    .where(
      and(eq(sql`lower(${users.email})`, email.toLowerCase()), isNull(users.deletedAt), isNull(ssoIdentities.subject)),
    );
  return found;
}

/** Locks the account until the transaction ends. */
export async function isActive(tx: Db, userId: number): Promise<boolean> {
  const { id, active } = users;
  const found = await tx
    .select({ id })
    .from(users)
    .where(and(eq(id, userId), active))
    .for('share');
  return found.length > 0;
}

/** A unique violation where the identity, or the account, is connected meanwhile. */
export const insertIdentity = (tx: Db, { issuer, subject }: Identity, userId: number) =>
  tx.insert(ssoIdentities).values({ issuer, subject, userId });

/** Deletes the open invitation of an address, so that of two concurrent requests only one gets it. */
export async function takeInvitationOf(tx: Db, address: string) {
  const { email, fullName, role, monthlyGoal, expiresAt } = invitations;
  const [taken] = await tx
    .delete(invitations)
    .where(and(eq(sql`lower(${email})`, address.toLowerCase()), gt(expiresAt, sql`now()`)))
    .returning({ email, fullName, role, monthlyGoal });
  return taken;
}

/** Those of the names that accounts have, in lower case. */
export async function listTaken(db: Db, names: string[]): Promise<string[]> {
  const name = sql<string>`lower(${users.username})`;
  const wanted = sql.join(
    names.map((each) => sql`${each.toLowerCase()}`),
    sql`, `,
  );
  const taken = await db.select({ name }).from(users).where(sql`${name} in (${wanted})`);
  return taken.map((row) => row.name);
}

export async function listConnectedUsers(db: Db): Promise<number[]> {
  const { userId } = ssoIdentities;
  return (await db.selectDistinct({ userId }).from(ssoIdentities).orderBy(userId)).map((row) => row.userId);
}

export async function deleteIdentitiesOf(tx: Db, userId: number): Promise<boolean> {
  const { rowCount } = await tx.delete(ssoIdentities).where(eq(ssoIdentities.userId, userId));
  return Boolean(rowCount);
}
