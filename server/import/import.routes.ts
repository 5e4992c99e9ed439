import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { type ImportResponse, importBusinesses, MAX_FILE_BYTES } from '#contract/import/import.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { findBatch } from '#server/changes/undo.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Database } from '#server/kit/db/open.ts';
import { clientIpKey } from '#server/kit/http/client-ip.ts';
import { findResponse, readIdempotencyKey, replayResponse } from '#server/kit/http/idempotency.ts';
import { mount } from '#server/kit/http/serve.ts';
import { readUpload, type Upload } from '#server/kit/http/upload.ts';
import type { Logger } from '#server/kit/log.ts';
import { lockImport } from './import.sql.ts';
import { createImportResults, finishImport, recordStoppedImport } from './import-results.ts';
import { importRows, readTable } from './import-rows.ts';
import { notCsv, readCsv } from './read-csv.ts';

/** After this many new leads the planner's statistics are outdated, and lists slow, until the next autovacuum. */
const ANALYZE_AFTER_LEADS = 1_000;

interface ImportDeps extends Deps {
  database: Database;
  log: Logger;
  /** Aborted when the server shuts down. */
  closing: AbortSignal;
}

export function importRoutes(app: App, deps: ImportDeps) {
  mount(app, deps.guard, importBusinesses, async (request, reply) => {
    const upload = await readUpload(request, importBusinesses.upload ?? '', MAX_FILE_BYTES);
    const abort = abortOnClose(upload, reply, deps.closing);
    try {
      return await importUpload(upload, { request, reply, signal: abort.signal }, deps);
    } finally {
      abort.removeListeners();
      upload.abort();
    }
  });
}

interface UploadRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  signal: AbortSignal;
}

async function importUpload(upload: Upload, { request, reply, signal }: UploadRequest, deps: ImportDeps) {
  const { db, database, clock, log } = deps;
  if (!/\.csv$/i.test(upload.fileName)) throw notCsv();
  const action = readIdempotencyKey(request);
  const file = hashFile(upload.bytes);
  const findEarlierResponse = async () => {
    const earlier = action && (await findResponse(db, action));
    return earlier && replayResponse<ImportResponse>(earlier, await file.hash());
  };

  const earlier = await findEarlierResponse();
  if (earlier) return earlier;
  const table = await readTable(readCsv(file.chunks));
  const unlock = await lockImport(database);
  if (!unlock) throw new Refusal('import_running', 'Another import is running. Please wait until it has finished.');
  try {
    // The import that held the lock until now may have been the same request.
    const concurrent = await findEarlierResponse();
    if (concurrent) return concurrent;
    const { id } = request.viewer as Viewer; // the call's access requires one
    const results = createImportResults(table.header);
    const current = { db, importerId: id, ip: clientIpKey(request.ip), results };
    const batchId = randomUUID();
    await importRows(table, { ...current, batchId, startedAt: clock(), signal }).catch(async (error: unknown) => {
      throw await recordStoppedImport(current, error, log);
    });
    const response = await finishImport(current, action && { action, bodyHash: await file.hash() });
    if (await findBatch(db, batchId)) reply.header(BATCH_HEADER, batchId);
    if (results.counts.created > ANALYZE_AFTER_LEADS) await analyze(db, log);
    return response;
  } finally {
    await unlock();
  }
}

/** Hashes a file while it is read. */
function hashFile(bytes: AsyncIterable<Buffer>) {
  const sha256 = createHash('sha256');
  let digest: string | undefined;
  const chunks = (async function* () {
    for await (const chunk of bytes) {
      sha256.update(chunk);
      yield chunk;
    }
  })();
  return {
    chunks,
    /** Of the whole file: reads the rest of it first. */
    hash: async (): Promise<string> => {
      while (!(await chunks.next()).done);
      digest ??= sha256.digest('base64url');
      return digest;
    },
  };
}

async function analyze(db: Db, log: Logger) {
  await db
    .execute(sql`analyze user_businesses, businesses`)
    .catch((error: unknown) => log.warn({ err: error }, 'ANALYZE after an import failed'));
}

/** Aborts an import between batches when the server shuts down or the client disconnects. */
function abortOnClose(upload: Upload, reply: FastifyReply, closing: AbortSignal) {
  const controller = new AbortController();
  const abort = (reason: Refusal) => {
    controller.abort(reason);
    upload.abort(reason);
  };
  const onShutdown = () => abort(new Refusal('shutting_down', 'The server is being restarted.'));
  const onDisconnect = () => {
    if (!reply.raw.writableEnded) abort(new Refusal('invalid_request', 'The upload was cancelled.'));
  };
  closing.addEventListener('abort', onShutdown);
  reply.raw.on('close', onDisconnect);
  if (closing.aborted) onShutdown();
  return {
    signal: controller.signal,
    removeListeners: () => {
      closing.removeEventListener('abort', onShutdown);
      reply.raw.off('close', onDisconnect);
    },
  };
}
