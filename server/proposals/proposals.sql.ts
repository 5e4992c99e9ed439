import { and, asc, count, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm';
import type { Lead } from '#contract/leads/lead.ts';
import { MAX_OPEN_PROPOSALS } from '#contract/proposals/proposal.ts';
import type { Db } from '#server/kit/db/db.ts';
import { anyOf } from '#server/kit/db/parameters.ts';
import { leadColumns } from '#server/leads/leads.sql.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { proposalChanges, proposals } from '#server/schema/proposals.ts';
import { users } from '#server/schema/users.ts';

export type StoredProposal = typeof proposals.$inferSelect;
export type StoredChange = typeof proposalChanges.$inferSelect & { uuid: string; name: string };

/** How many proposals the list has: all open ones, and the latest of the others. */
const MAX_LISTED = MAX_OPEN_PROPOSALS + 30;

export async function listProposals(db: Db, userId: number): Promise<StoredProposal[]> {
  return db
    .select()
    .from(proposals)
    .where(eq(proposals.userId, userId))
    .orderBy(desc(proposals.createdAt), proposals.id)
    .limit(MAX_LISTED);
}

/** The changes of proposals by the names of their businesses, each lead's in their order. */
export async function listChanges(db: Db, proposalIds: string[]): Promise<StoredChange[]> {
  const rows = await db
    .select({ change: proposalChanges, uuid: leads.uuid, name: businesses.name })
    .from(proposalChanges)
    .innerJoin(leads, eq(leads.id, proposalChanges.leadId))
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .where(inArray(proposalChanges.proposalId, proposalIds))
    .orderBy(asc(businesses.name), leads.id, proposalChanges.id);
  return rows.map(({ change, uuid, name }) => ({ ...change, uuid, name }));
}

/** A proposal of the user. Waits for a concurrent decision. */
export async function lockProposal(tx: Db, id: string, userId: number): Promise<StoredProposal | undefined> {
  const [found] = await tx
    .select()
    .from(proposals)
    .where(and(eq(proposals.id, id), eq(proposals.userId, userId)))
    .for('update');
  return found;
}

/** The leads of these changes, locked until the transaction ends if they are to be changed. */
export async function readLeads(db: Db, changes: StoredChange[], { lock }: { lock: boolean }): Promise<Lead[]> {
  const ids = [...new Set(changes.map(({ leadId }) => leadId))];
  const query = db.select(leadColumns).from(leads).where(anyOf(leads.id, ids)).orderBy(leads.id);
  return lock ? query.for('update') : query;
}

const isOpen = (now: Date) => and(isNull(proposals.decidedAt), gt(proposals.expiresAt, now.toISOString()));

/** Locks the account, so that two requests at once cannot pass the limit. */
export async function countOpen(tx: Db, userId: number, now: Date): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  const [row] = await tx
    .select({ open: count() })
    .from(proposals)
    .where(and(eq(proposals.userId, userId), isOpen(now)));
  return row?.open ?? 0;
}

/** The same proposal, while it is open. One that has expired makes room for another. */
export async function findSame(tx: Db, userId: number, fingerprint: string, now: Date) {
  const same = and(eq(proposals.userId, userId), eq(proposals.fingerprint, fingerprint), isNull(proposals.decidedAt));
  await tx.delete(proposals).where(and(same, lte(proposals.expiresAt, now.toISOString())));
  const [found] = await tx.select().from(proposals).where(same);
  return found;
}

export async function insertProposal(
  tx: Db,
  values: typeof proposals.$inferInsert,
  changes: Omit<typeof proposalChanges.$inferInsert, 'proposalId'>[],
): Promise<StoredProposal> {
  const [inserted] = await tx.insert(proposals).values(values).returning();
  if (!inserted) throw new Error('The proposal was not written');
  await tx.insert(proposalChanges).values(changes.map((change) => ({ ...change, proposalId: inserted.id })));
  return inserted;
}

interface Decided {
  id: number;
  state: StoredChange['state'];
  problem: string | null;
}

export async function saveDecision(tx: Db, proposalId: string, changes: Decided[], now: Date): Promise<void> {
  for (const { id, ...set } of changes) await tx.update(proposalChanges).set(set).where(eq(proposalChanges.id, id));
  await tx.update(proposals).set({ decidedAt: now.toISOString() }).where(eq(proposals.id, proposalId));
}
