import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VIEWER_HEADER } from '#contract/call.ts';
import type { ChangeKind } from '#contract/changes/change.ts';
import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { ChangeField, ChangeSource } from '#contract/leads/fields/logged-change.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readIdempotencyKey } from '#server/kit/http/idempotency.ts';
import { type Batch, insertBatch, isRecorded, type NewChange } from './batches.sql.ts';
import type { BusinessField, ChangeValues, LeadField } from './change-values.ts';
import { toEvents } from './to-events.ts';

type Values<F extends ChangeField> = { before: ChangeValues[F] | null; after: ChangeValues[F] | null };

/** Collects what a request changes. The verbs that change a lead or a business add to it. */
export interface ChangeLog {
  readonly batchId: string;
  /** The name of the program through which the user makes the changes. */
  readonly program: string | null;
  addLead<F extends LeadField>(leadId: number, field: F, values: Values<F> & { item?: string }): void;
  addBusiness<F extends BusinessField>(businessId: number, field: F, values: Values<F>): void;
  /** Counts a lead that undoing deletes, and with it its changes. */
  addDeletedLead(leadId: number): void;
}

/** Runs the work and writes what it changed as one batch, in the transaction of the work. */
export const recordBatch = async <T>(tx: Db, batch: Batch, work: (log: ChangeLog) => Promise<T>): Promise<T> =>
  (await record(tx, batch, work)).result;

async function record<T>(tx: Db, batch: Batch, work: (log: ChangeLog) => Promise<T>) {
  const id = batch.id ?? batch.keyedId ?? randomUUID();
  const added = new Map<string, NewChange>();
  const deletedLeads = new Set<number>();
  // Two changes of one field in the same request are one, from the first value to the last.
  const add = (change: NewChange) => {
    const key = JSON.stringify([change.leadId, change.businessId, change.field, change.item]);
    added.set(key, { ...change, before: (added.get(key) ?? change).before });
  };
  const result = await work({
    batchId: id,
    program: batch.program ?? null,
    addLead: (leadId, field, { item = '', before, after }) =>
      add({ leadId, businessId: null, field, item, before, after }),
    addBusiness: (businessId, field, { before, after }) =>
      add({ leadId: null, businessId, field, item: '', before, after }),
    addDeletedLead: (leadId) => void deletedLeads.add(leadId),
  });
  const changes = [...added.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after));
  const changed = changes.map(({ leadId, businessId }) => `${leadId} ${businessId}`);
  const count = new Set([...changed, ...[...deletedLeads].map((leadId) => `${leadId} null`)]).size;
  const events = toEvents(changes, batch);
  if (count) await insertBatch(tx, { ...batch, id, count, shared: batch.id !== undefined, events }, changes);
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
  /** When it was made, where a device may send it later. */
  madeAt?: Date;
  id?: string | undefined;
  undoes?: string | undefined;
}

/** As `recordBatch`, for one request: a header of its response has the id of the batch, so that the client can undo it. */
export async function recordRequest<T>(
  tx: Db,
  { viewer, request, reply }: Recorded,
  { madeAt, ...batch }: RequestBatch,
  work: (log: ChangeLog) => Promise<T>,
): Promise<T> {
  const source = batch.source ?? readSource({ viewer, request });
  const keyedId = batch.id ? undefined : toKeyedId({ viewer, request });
  if (keyedId && (await isRecorded(tx, keyedId))) {
    throw new Refusal('already_recorded', 'This was recorded before');
  }
  const { result, batchId } = await record(
    tx,
    {
      ...batch,
      ...(madeAt && madeAt < batch.now && { madeAt }),
      ...{ source, keyedId, userId: viewer.id, program: viewer.program?.name },
    },
    work,
  );
  if (batchId) reply.header(BATCH_HEADER, batchId);
  return result;
}

/**
 * What may be sent later has the id of its Idempotency-Key. A restored database has its batches, but no keys: what a device
 * sends again, because it got no answer, is still known.
 */
function toKeyedId({ viewer, request }: Pick<Recorded, 'viewer' | 'request'>): string | undefined {
  if (!request.routeOptions.config.sentLater || viewer.program) return undefined;
  const key = readIdempotencyKey(request);
  return key && toBatchId(viewer, `${key.route} ${key.key}`);
}

/** The id of the batch that a client names. With the same name, another user's or program's has another id. */
export function toBatchId({ id, program }: Pick<Viewer, 'id' | 'program'>, name: string): string {
  const owner = program ? `${id} ${program.tokenId}` : `${id}`;
  const hex = createHash('sha256').update(`${owner} ${name}`).digest('hex');
  // UUID version 8 is for ids of an application's own making.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(12, 15)}`, `8${hex.slice(15, 18)}`, hex.slice(18, 30)].join(
    '-',
  );
}

/** The browser sends the URL of the screen; other clients send neither it nor the header. */
export function readSource({ viewer, request: { headers } }: Pick<Recorded, 'viewer' | 'request'>): ChangeSource {
  if (viewer.program || headers[VIEWER_HEADER] === undefined) return 'api';
  const referer = headers.referer ?? '';
  const path = URL.canParse(referer) ? new URL(referer).pathname : '';
  return path.startsWith('/business/') ? 'profile' : 'list';
}
