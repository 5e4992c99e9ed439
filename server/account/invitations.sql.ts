import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { INVITATION_DAYS, type Invitation, type NewInvitation } from '#contract/account/invitations.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { invitations, users } from '#server/schema/users.ts';

const { id, email, fullName, role, monthlyGoal, invitedBy, sentAt, expiresAt, token } = invitations;
const columns = {
  ...{ id, email, fullName, role, monthlyGoal, sentAt, expiresAt },
  invitedBy: sql<string | null>`coalesce(nullif(${users.fullName}, ''), ${users.username})`,
};
const sent = { token: null, sentAt: sql`now()`, expiresAt: sql`now() + make_interval(days => ${INVITATION_DAYS})` };
const isOpen = gt(expiresAt, sql`now()`);

const select = (db: Db) => db.select(columns).from(invitations).leftJoin(users, eq(users.id, invitedBy));

export const listInvitations = (db: Db): Promise<Invitation[]> => select(db).orderBy(desc(sentAt), id);

export async function findInvitation(db: Db, invitationId: string): Promise<Invitation | undefined> {
  const [found] = await select(db).where(eq(id, invitationId));
  return found;
}

/** Undefined where the address was invited already. */
export async function insertInvitation(tx: Db, invited: NewInvitation, by: number): Promise<string | undefined> {
  const [inserted] = await tx
    .insert(invitations)
    .values({ ...invited, ...sent, invitedBy: by })
    .onConflictDoNothing()
    .returning({ id });
  return inserted?.id;
}

/** The link of before no longer works. */
export async function renewInvitation(tx: Db, invitationId: string): Promise<boolean> {
  const renewed = await tx.update(invitations).set(sent).where(eq(id, invitationId)).returning({ id });
  return renewed.length > 0;
}

export async function deleteInvitation(tx: Db, invitationId: string): Promise<boolean> {
  const deleted = await tx.delete(invitations).where(eq(id, invitationId)).returning({ id });
  return deleted.length > 0;
}

/** Stores the token of the link for the mail; undefined where the invitation is not open any more. */
export async function setInvitationToken(db: Db, invitationId: string, hash: string): Promise<Invitation | undefined> {
  const updated = await db
    .update(invitations)
    .set({ token: hash })
    .where(and(eq(id, invitationId), isOpen))
    .returning({ id });
  return updated.length ? findInvitation(db, invitationId) : undefined;
}

export async function findOpenInvitation(db: Db, hash: string) {
  const [found] = await db
    .select({ email, fullName })
    .from(invitations)
    .where(and(eq(token, hash), isOpen));
  return found;
}

/** Deletes the invitation of a link, so that of two concurrent requests only one gets it. */
export async function takeInvitation(tx: Db, hash: string) {
  const [taken] = await tx
    .delete(invitations)
    .where(and(eq(token, hash), isOpen))
    .returning({ email, role, monthlyGoal });
  return taken;
}
