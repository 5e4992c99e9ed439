import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CHANGE_KIND_LABEL, type ChangeBatch, formatUndoOutcome, UNDO_DAYS } from '#contract/changes/change.ts';
import * as calls from '#contract/changes/changes.calls.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { CHANGE_SOURCE_LABEL, type ChangeSource, labelChange } from '#contract/leads/fields/logged-change.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import { findBatch, lockBatch } from '#server/change-log/batches.sql.ts';
import { readSource, recordRequest } from '#server/change-log/record-changes.ts';
import { showChanges } from '#server/change-log/show-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { planUnmerge } from '#server/duplicates/unmerge.ts';
import { insertJob, toJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import {
  type BatchRow,
  type ChangeRow,
  countChanges,
  listBatches,
  readBatch,
  readChangesAfter,
  readFirstChanges,
} from './changes.sql.ts';
import { planUndo } from './plan-undo.ts';
import { type Batch, countOutcome, readUndoable } from './undo.sql.ts';
import { auditUndo, mayUndo, requireNotRunning, requireUndoable, undoBatch } from './undo-batch.ts';
import { MAX_AT_ONCE, NOTHING, UNDO, type UndoInput } from './undo-job.ts';

const PAGE_SIZE = 30;
const MAX_LISTED_CHANGES = 20;
const EXPORT_CHUNK = 1_000;
/** How long a response waits for the end of a large undo. */
const WAIT_MS = { background: 1_000, otherwise: 25_000 };

export function changeRoutes(app: App, { db, env, guard, clock, jobs }: Deps) {
  const { timeZone } = env;

  serve(app, guard, calls.listChanges, async ({ viewer, query: { before, after = before, ...filter } }) => {
    const page = { viewer, filter, timeZone, after, limit: PAGE_SIZE + 1 };
    const rows = await listBatches(db, page);
    const shown = rows.slice(0, PAGE_SIZE);
    const last = rows.length > PAGE_SIZE ? shown.at(-1) : undefined;
    return { items: await toBatches(shown, viewer), next: last ? `${last.at}_${last.id}` : null };
  });

  serve(app, guard, calls.getChangeBatch, async ({ viewer, params: { batchId } }) => {
    const now = clock();
    const batch = requireUndoable(await findBatch(db, batchId), viewer, now);
    const { outcome } =
      batch.kind === 'merge'
        ? await db.transaction((tx) => planUnmerge(tx, batchId, { lock: false }))
        : batch.count > MAX_AT_ONCE
          ? { outcome: await countOutcome(db, batch, viewer, now) }
          : await planUndo(db, batch, { viewer, now, lock: false });
    const row = await readBatch(db, batchId);
    const [shown] = row ? await toBatches([row], viewer) : [];
    if (!shown) throw new Refusal('not_found', 'These changes are no longer kept');
    const rows = await readChangesAfter(db, batchId, 0, MAX_LISTED_CHANGES);
    return { batch: shown, changes: await toListed(rows, viewer), undo: outcome };
  });

  serve(app, guard, calls.undoChanges, async ({ params: { batchId }, query, body, ip, ...ctx }) => {
    const { viewer, reply } = ctx;
    const started = await db.transaction(async (tx) => {
      const batch = requireUndoable(await lockBatch(tx, batchId), viewer, clock());
      body();
      if (batch.count > MAX_AT_ONCE && batch.kind !== 'merge') {
        return { job: await startUndo(tx, batch, { viewer, ip, source: readSource(ctx) }) };
      }
      const result = await undo(tx, batch, { ...ctx, ip });
      // Nothing for an "Undo" to name: businesses are merged again on their screen.
      if (batch.kind === 'merge') reply.removeHeader(calls.BATCH_HEADER);
      return { result };
    });
    if (started.result) return started.result;
    const waitMs = query.background ? WAIT_MS.background : WAIT_MS.otherwise;
    const job = await jobs.waitForEnd({ id: started.job.id, userId: viewer.id }, waitMs);
    const { outcome = NOTHING } = (job?.input ?? {}) as UndoInput;
    if (job?.state === 'running') {
      return { message: 'These changes are being taken back', ...outcome, job: toJob(job) };
    }
    if (job?.state === 'stopped') throw new Refusal('not_undoable', job.message ?? '');
    if (job?.hasBatch && (await readFirstChanges(db, [job.id])).size) reply.header(calls.BATCH_HEADER, job.id);
    return { message: formatUndoOutcome(outcome), ...outcome };
  });

  serve(app, guard, undoMerge, ({ params: { id }, body, ip, ...ctx }) =>
    db.transaction(async (tx) => {
      const found = await findBatch(tx, id);
      if (found?.kind !== 'merge') throw new Refusal('not_found', `A merge can be undone for ${UNDO_DAYS} days`);
      const batch = requireUndoable(await lockBatch(tx, id), ctx.viewer, clock());
      body();
      return undo(tx, batch, { ...ctx, ip });
    }),
  );

  async function undo(tx: Db, batch: Batch, { ip, ...ctx }: Parameters<typeof recordRequest>[1] & { ip: string }) {
    const { viewer } = ctx;
    const now = clock();
    const record = { kind: 'undo', now, undoes: batch.id } as const;
    const result = await recordRequest(tx, ctx, record, (log) => undoBatch(tx, batch, { viewer, ip, now, log }));
    await auditUndo(tx, batch, result, { viewer, ip });
    return result;
  }

  mount(app, guard, calls.exportChanges, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const { query, ip } = readRequest(calls.exportChanges, request);
    const count = await countChanges(db, { viewer, filter: query, timeZone });
    await audit(db, { event: 'changes_exported', actorId: viewer.id, ip, details: { count } });
    const rows = exportRows(viewer, query);
    // The first rows are read before the response starts, so that an error can still set the status.
    const first = await rows.next();
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="changes.csv"')
      .send(Readable.from(toCsv(first, rows), { highWaterMark: 1 }));
  });

  async function toBatches(rows: BatchRow[], viewer: Viewer): Promise<ChangeBatch[]> {
    const first = await readFirstChanges(
      db,
      rows.map(({ id }) => id),
    );
    const undoable = await readUndoable(db, viewer, [...first.keys()]);
    const firstChanges = [...first.values()];
    const listed = await toListed(firstChanges, viewer);
    const listedByBatch = new Map(firstChanges.map(({ batch_id }, index) => [batch_id, listed[index]]));
    return rows.map((row) => ({
      id: row.id,
      at: row.at,
      kind: row.kind,
      source: row.source,
      user:
        row.user_id === null ? null : { id: row.user_id, username: row.username ?? '', fullName: row.full_name ?? '' },
      count: row.count,
      created: row.created,
      first: listedByBatch.get(row.id) ?? null,
      undid: row.undid,
      undoneAt: row.undone_at,
      ...(row.program !== null && { program: row.program }),
      ...(row.undoing && { undoing: true as const }),
      canUndo:
        row.undone_at === null &&
        row.undid !== 'merge' && // businesses that were merged by mistake are merged again on their screen
        undoable.has(row.id) &&
        mayUndo(viewer, { userId: row.user_id, at: row.at, kind: row.kind }, clock()),
    }));
  }

  async function toListed(rows: ChangeRow[], viewer: Viewer) {
    const changes = await showChanges(db, rows, env);
    return rows.flatMap(({ name, uuid, holder_id }, index) => {
      const change = changes[index];
      const visible = holder_id !== null && canSeeLead(viewer, { userId: holder_id });
      return change ? [{ name, uuid: visible ? uuid : null, change }] : [];
    });
  }

  /** The lines of the export, in chunks that are read one after the other. */
  async function* exportRows(viewer: Viewer, filter: calls.ChangeFilter): AsyncGenerator<string[][]> {
    let after: { at: string; id: string } | undefined;
    do {
      const batches = await listBatches(db, { viewer, filter, timeZone, after, limit: PAGE_SIZE });
      for (const batch of batches) yield* exportBatch(batch);
      after = batches.length === PAGE_SIZE ? batches.at(-1) : undefined;
    } while (after);
  }

  async function* exportBatch(batch: BatchRow): AsyncGenerator<string[][]> {
    let rows: ChangeRow[];
    let afterId = 0;
    do {
      rows = await readChangesAfter(db, batch.id, afterId, EXPORT_CHUNK);
      const shown = await showChanges(db, rows, env);
      yield rows.map((row, index) => [
        batch.at,
        batch.username ?? DELETED_USER,
        CHANGE_KIND_LABEL[batch.kind],
        CHANGE_SOURCE_LABEL[batch.source],
        row.name,
        labelChange(shown[index] ?? row),
        shown[index]?.before ?? '',
        shown[index]?.after ?? '',
        batch.undone_at ?? '',
        batch.program ?? '',
      ]);
      afterId = rows.at(-1)?.id ?? 0;
    } while (rows.length === EXPORT_CHUNK);
  }
}

async function startUndo(
  tx: Db,
  batch: Batch,
  { viewer, ip, source }: { viewer: Viewer; ip: string; source: ChangeSource },
) {
  await requireNotRunning(tx, batch);
  const input: UndoInput = { batchId: batch.id, source };
  const values = { id: randomUUID(), kind: UNDO, userId: viewer.id, ip, input, total: batch.count };
  const job = await insertJob(tx, values);
  if (!job) throw new Refusal('not_undoable', 'Your last undo is still running. Please wait until it has ended.');
  return job;
}

const COLUMNS = ['When', 'Who', 'Kind', 'Where', 'Business', 'Field', 'Before', 'After', 'Undone', 'Through'];

async function* toCsv(first: IteratorResult<string[][]>, rest: AsyncGenerator<string[][]>) {
  yield `${BYTE_ORDER_MARK}${csvLine(COLUMNS)}`;
  for (let next = first; !next.done; next = await rest.next()) yield next.value.map(csvLine).join('');
}
