import { eq, type SQL, sql } from 'drizzle-orm';
import type { ChangeKind } from '#contract/changes/change.ts';
import { Refusal } from '#contract/errors.ts';
import type { ChangeField, ChangeSource } from '#contract/leads/fields/logged-change.ts';
import type { Db } from '#server/kit/db/db.ts';
import { executePrepared } from '#server/kit/db/execute-prepared.ts';
import { changeBatches } from '#server/schema/changes.ts';
import { insertEvents, type NewEvent } from '#server/webhook-events/record-events.sql.ts';

/** Waits for a concurrent request that undoes the same batch. */
export async function lockBatch(tx: Db, batchId: string) {
  const [batch] = await tx.select().from(changeBatches).where(eq(changeBatches.id, batchId)).for('update');
  return batch;
}

export async function findBatch(db: Db, batchId: string) {
  const [batch] = await db.select().from(changeBatches).where(eq(changeBatches.id, batchId));
  return batch;
}

export const isUndone = async (db: Db, batchId: string) =>
  (await db.$count(changeBatches, eq(changeBatches.undoes, batchId))) > 0;

export interface NewChange {
  leadId: number | null;
  businessId: number | null;
  field: ChangeField;
  item: string;
  before: unknown;
  after: unknown;
}

export interface Batch {
  /** Of a batch that several transactions add to. */
  id?: string | undefined;
  /** Of a request that may be sent again after its key is forgotten. */
  keyedId?: string | undefined;
  kind: ChangeKind;
  source: ChangeSource;
  userId: number;
  now: Date;
  /** When they were made, where that was before now. */
  madeAt?: Date | undefined;
  undoes?: string | undefined;
  /** The name of the program through which the user makes the changes. */
  program?: string | undefined;
}

/** With its id, which is given or new, and what webhooks are told of it. */
type StoredBatch = Batch & { id: string; count: number; shared: boolean; events: NewEvent[] };

/** One statement of the same text for any number of changes, prepared: it runs with every change of a lead. */
export async function insertBatch(
  tx: Db,
  { id, count, shared, events, userId, now, madeAt, kind, source, undoes, program }: StoredBatch,
  changes: NewChange[],
) {
  const later = madeAt && { madeAt: madeAt.toISOString(), recordedAt: now.toISOString() };
  const at = madeAt ? await notBeforeNewest(tx, changes, madeAt) : now.toISOString();
  const batch = sql`
    insert into change_batches (id, user_id, at, kind, source, undoes, count, program, made_at, recorded_at)
    values (${id}, ${userId}, ${at}, ${kind}, ${source}, ${undoes ?? null}, ${count}, ${program ?? null},
      ${later?.madeAt ?? null}, ${later?.recordedAt ?? null})`;
  if (shared) await addToBatch(tx, id, batch);
  const column = (read: (change: NewChange) => unknown) => sql.param(changes.map(read));
  await executePrepared(
    tx,
    // What webhooks are told goes with it: one more statement would cost every change a round trip.
    sql`with ${shared ? sql`` : sql`batch as (${batch}), `}told as (${insertEvents(events)})
      insert into changes (batch_id, lead_id, business_id, field, item, before, after)
      select ${id}, * from unnest(
        ${column((change) => change.leadId)}::int[], ${column((change) => change.businessId)}::int[],
        ${column((change) => change.field)}::text[], ${column((change) => change.item)}::text[],
        ${column((change) => toJson(change.before))}::jsonb[], ${column((change) => toJson(change.after))}::jsonb[])`,
  );
}

/** No change of a lead or business stands before the one that it follows: reports read what was from their order. */
async function notBeforeNewest(tx: Db, changes: NewChange[], madeAt: Date): Promise<string> {
  const ids = (read: (change: NewChange) => number | null) =>
    sql.param(changes.flatMap((change) => read(change) ?? []));
  const { rows } = await tx.execute<{ at: string }>(sql`
    select greatest(${madeAt.toISOString()}::timestamptz, (
      select max(batch.at) from changes change join change_batches batch on batch.id = change.batch_id
      where change.lead_id = any (${ids(({ leadId }) => leadId)}::int[])
        or change.business_id = any (${ids(({ businessId }) => businessId)}::int[]))) as at`);
  return new Date(rows[0]?.at ?? madeAt).toISOString();
}

export const isRecorded = async (db: Db, batchId: string) =>
  (await db.$count(changeBatches, eq(changeBatches.id, batchId))) > 0;

/** For an import, and the assignments of one action, which are several transactions. Refuses once the batch was undone. */
async function addToBatch(tx: Db, id: string, batch: SQL) {
  await tx.execute(sql`${batch} on conflict (id) do update set count = change_batches.count + excluded.count`);
  // A statement of its own: the one before may have waited for the undo, and does not see it.
  const { rowCount } = await tx.execute(sql`select from change_batches where undoes = ${id}`);
  if (rowCount) throw new Refusal('batch_undone', 'This action was undone meanwhile. Please start it again.');
}

const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value));
