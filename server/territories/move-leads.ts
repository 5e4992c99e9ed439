import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { MAX_BULK } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import { type ChangeLog, recordBatch } from '#server/change-log/record-changes.ts';
import { defineJob } from '#server/jobs/job-kind.ts';
import { requireJobViewer } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leadColumns } from '#server/leads/leads.sql.ts';
import { IS_OPEN } from '#server/leads/list/attention.sql.ts';
import { reassignLeads } from '#server/leads/reassign-leads.ts';
import { lockTarget } from '#server/leads/reassignment-target.ts';
import { leads } from '#server/schema/leads.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';

const openLeadsIn = (userId: number, districts: string[]): SQL => sql`
  from user_businesses lead join businesses business on business.id = lead.business_id
  where lead.user_id = ${userId} and ${IS_OPEN} and business.district = any(${sql.param(districts)}::text[])`;

export async function countOpenLeadsIn(db: Db, userId: number, districts: string[]): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count ${openLeadsIn(userId, districts)}`);
  return rows[0]?.count ?? 0;
}

export interface Move {
  fromUserId: number;
  toUserId: number;
  districts: string[];
  /** The last lead of the step before. */
  after: number;
}

interface Context {
  viewer: Viewer;
  ip: string;
  log: ChangeLog;
}

/** One step of moving the open leads of districts to another user. */
export async function moveOpenLeads(tx: Db, move: Move, { viewer, ip, log }: Context) {
  const { fromUserId, toUserId, districts, after } = move;
  await requireCurrentRole(tx, viewer);
  const target = await lockTarget(tx, toUserId);
  const { rows } = await tx.execute<{ id: number }>(sql`
    select lead.id ${openLeadsIn(fromUserId, districts)} and lead.id > ${after} order by lead.id limit ${MAX_BULK}`);
  const ids = rows.map(({ id }) => id);
  // Only those that are still the previous holder's once they are locked.
  const locked = ids.length
    ? await tx
        .select(leadColumns)
        .from(leads)
        .where(and(inArray(leads.id, ids), eq(leads.userId, fromUserId)))
        .orderBy(asc(leads.id))
        .for('update')
    : [];
  const moved =
    fromUserId === toUserId ? [] : await reassignLeads(tx, locked, { target, viewer, ip, log, merged: true });
  const skipped = locked.length - moved.length;
  if (locked.length) {
    const details = { verb: 'move-territory', success: moved.length, failed: skipped };
    await audit(tx, { event: 'bulk_action', actorId: viewer.id, ip, details });
  }
  return { moved: moved.length, skipped, next: ids.length === MAX_BULK ? (ids.at(-1) ?? null) : null };
}

export const MOVE_LEADS = 'move-leads';

/** Moves what the first step has left, as the same batch. */
export const moveLeadsJob = (clock: Clock) =>
  defineJob<Move>({
    kind: MOVE_LEADS,
    canCancel: true,
    step: async (tx, { id, userId, ip, input, done, success, failed }) => {
      const viewer = await requireJobViewer(tx, { userId });
      const batch = { id, kind: 'reassign', source: 'bulk', userId: viewer.id, now: clock() } as const;
      const { moved, skipped, next } = await recordBatch(tx, batch, (log) =>
        moveOpenLeads(tx, input, { viewer, ip: ip ?? '', log }),
      );
      return {
        input: { ...input, after: next ?? input.after },
        ...{ done: done + moved + skipped, success: success + moved, failed: failed + skipped },
        end: next === null,
      };
    },
  });
