import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { type ImportResponse, importBusinesses, MAX_FILE_BYTES } from '#contract/import/import.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Database } from '#server/kit/db/open.ts';
import { clientIpKey } from '#server/kit/http/client-ip.ts';
import { findResponse, readIdempotencyKey, replayResponse } from '#server/kit/http/idempotency.ts';
import { mount } from '#server/kit/http/serve.ts';
import { readUpload, type Upload } from '#server/kit/http/upload.ts';
import type { Logger } from '#server/kit/log.ts';
import { finishImport, stoppedImport } from './finish-import.ts';
import { hashing } from './hashing.ts';
import { lockImport } from './import-lock.ts';
import { importRows, openTable } from './import-rows.ts';
import { readRecords } from './read-records.ts';
import { notCsv } from './sniff.ts';
import { createTally } from './tally.ts';

/** So many new leads make the planner's statistics wrong, and lists slow, until PostgreSQL collects them by itself. */
const MANY_LEADS = 1_000;

interface ImportDeps extends Deps {
  database: Database;
  log: Logger;
  /** Aborted when the process is asked to stop. */
  closing: AbortSignal;
}

export function importRoutes(app: App, deps: ImportDeps) {
  mount(app, deps.guard, importBusinesses, async (request, reply) => {
    const upload = await readUpload(request, importBusinesses.upload ?? '', MAX_FILE_BYTES);
    const stop = stopWhenUnwanted(upload, reply, deps.closing);
    try {
      return await importUpload(upload, request, stop.signal, deps);
    } finally {
      stop.forget();
      upload.abort();
    }
  });
}

async function importUpload(upload: Upload, request: FastifyRequest, stop: AbortSignal, deps: ImportDeps) {
  const { db, database, log } = deps;
  if (!/\.csv$/i.test(upload.fileName)) throw notCsv();
  const action = readIdempotencyKey(request);
  const file = hashing(upload.bytes);
  const answerOfBefore = async () => {
    const earlier = action && (await findResponse(db, action));
    return earlier && replayResponse<ImportResponse>(earlier, await file.hash());
  };

  const before = await answerOfBefore();
  if (before) return before;
  const table = await openTable(readRecords(file.pieces));
  const unlock = await lockImport(database);
  if (!unlock) throw new Refusal('import_running', 'Another import is running. Please wait until it has finished.');
  try {
    // Whoever held the lock until now may have done this very action.
    const justNow = await answerOfBefore();
    if (justNow) return justNow;
    const { id } = request.viewer as Viewer; // the call's access asks for one
    const importing = { db, importerId: id, ip: clientIpKey(request.ip), tally: createTally(table.header) };
    await importRows(table, { ...importing, stop }).catch(async (error: unknown) => {
      throw await stoppedImport(importing, error, log);
    });
    const done = await finishImport(importing, action && { action, bodyHash: await file.hash() });
    if (importing.tally.counts.created > MANY_LEADS) await refreshStatistics(db, log);
    return done;
  } finally {
    await unlock();
  }
}

async function refreshStatistics(db: Db, log: Logger) {
  await db
    .execute(sql`analyze user_businesses, businesses`)
    .catch((error: unknown) => log.warn({ err: error }, 'ANALYZE after an import failed'));
}

/** Stops an import at its batch when the process is to end, or when nobody waits for the answer any more. */
function stopWhenUnwanted(upload: Upload, reply: FastifyReply, closing: AbortSignal) {
  const stop = new AbortController();
  const stopFor = (reason: Refusal) => {
    stop.abort(reason);
    upload.abort(reason);
  };
  const onClosing = () => stopFor(new Refusal('shutting_down', 'The server is being restarted.'));
  const onGone = () => {
    if (!reply.raw.writableEnded) stopFor(new Refusal('invalid_request', 'The upload was cancelled.'));
  };
  closing.addEventListener('abort', onClosing);
  reply.raw.on('close', onGone);
  if (closing.aborted) onClosing();
  return {
    signal: stop.signal,
    forget: () => {
      closing.removeEventListener('abort', onClosing);
      reply.raw.off('close', onGone);
    },
  };
}
