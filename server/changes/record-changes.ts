import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VIEWER_HEADER } from '#contract/call.ts';
import type { ChangeField, ChangeKind, ChangeSource } from '#contract/changes/change.ts';
import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { BusinessField, ChangeValues, LeadField } from './change-values.ts';

interface NewChange {
  lead_id: number | null;
  business_id: number | null;
  field: ChangeField;
  item: string;
  before: unknown;
  after: unknown;
}

type Values<F extends ChangeField> = { before: ChangeValues[F] | null; after: ChangeValues[F] | null };

/** Collects what a request changes. The verbs that change a lead or a business add to it. */
export interface ChangeLog {
  readonly batchId: string;
  addLead<F extends LeadField>(leadId: number, field: F, values: Values<F> & { item?: string }): void;
  addBusiness<F extends BusinessField>(businessId: number, field: F, values: Values<F>): void;
}

interface Batch {
  id?: string | undefined;
  kind: ChangeKind;
  source: ChangeSource;
  userId: number;
  now: Date;
  undoes?: string | undefined;
}

/** Runs the work and writes what it changed as one batch, in the transaction of the work. */
export const recordBatch = async <T>(tx: Db, batch: Batch, work: (log: ChangeLog) => Promise<T>): Promise<T> =>
  (await record(tx, batch, work)).result;

async function record<T>(tx: Db, { id = randomUUID(), ...batch }: Batch, work: (log: ChangeLog) => Promise<T>) {
  const added = new Map<string, NewChange>();
  // Two changes of one field in the same request are one, from the first value to the last.
  const add = (change: NewChange) => {
    const key = JSON.stringify([change.lead_id, change.business_id, change.field, change.item]);
    added.set(key, { ...change, before: (added.get(key) ?? change).before });
  };
  const result = await work({
    batchId: id,
    addLead: (leadId, field, { item = '', before, after }) =>
      add({ lead_id: leadId, business_id: null, field, item, before, after }),
    addBusiness: (businessId, field, { before, after }) =>
      add({ lead_id: null, business_id: businessId, field, item: '', before, after }),
  });
  const changes = [...added.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after));
  await insertBatch(tx, { ...batch, id }, changes);
  return { result, batchId: changes.length ? id : undefined };
}

/** The part of a request's context that is recorded. */
export interface Recorded {
  viewer: Viewer;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface RequestBatch {
  kind: ChangeKind;
  /** Where the URL of the screen does not say it. */
  source?: ChangeSource;
  now: Date;
  id?: string | undefined;
  undoes?: string | undefined;
}

/** As `recordBatch`, for one request: a header of its response has the id of the batch, so that the client can undo it. */
export async function recordRequest<T>(
  tx: Db,
  { viewer, request, reply }: Recorded,
  batch: RequestBatch,
  work: (log: ChangeLog) => Promise<T>,
): Promise<T> {
  const source = batch.source ?? readSource(request);
  const { result, batchId } = await record(tx, { ...batch, source, userId: viewer.id }, work);
  if (batchId) reply.header(BATCH_HEADER, batchId);
  return result;
}

/** The browser sends the URL of the screen; other clients send neither it nor the header. */
function readSource({ headers }: FastifyRequest): ChangeSource {
  if (headers[VIEWER_HEADER] === undefined) return 'api';
  const referer = headers.referer ?? '';
  const path = URL.canParse(referer) ? new URL(referer).pathname : '';
  return path.startsWith('/business/') ? 'profile' : 'list';
}

/** One statement: every change of a lead is recorded, so this runs with each of them. */
async function insertBatch(tx: Db, { id, userId, now, kind, source, undoes }: Batch, changes: NewChange[]) {
  if (!changes.length) return;
  const count = new Set(changes.map(({ lead_id, business_id }) => `${lead_id} ${business_id}`)).size;
  await tx.execute(sql`
    with batch as (
      insert into change_batches as stored (id, user_id, at, kind, source, undoes, count)
      values (${id}, ${userId}, ${now.toISOString()}, ${kind}, ${source}, ${undoes ?? null}, ${count})
      -- An import, and the assignments of one action, are several requests or transactions.
      on conflict (id) do update set count = stored.count + excluded.count where stored.user_id = excluded.user_id
      returning id
    )
    insert into changes (batch_id, lead_id, business_id, field, item, before, after)
    select batch.id, lead_id, business_id, field, item, before, after
    from batch, jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as change (lead_id integer, business_id integer, field text, item text, before jsonb, after jsonb)`);
}
