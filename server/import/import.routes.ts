import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import {
  IMPORT_ID_HEADER,
  type ImportResponse,
  importBusinesses,
  MAX_FILE_BYTES,
} from '#contract/import/import.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { type CsvTable, readTable } from '#server/import/file/read-table.ts';
import { countBytes, readStoredFile, type StoredUpload, storeUpload } from '#server/import/file/stored-file.ts';
import { importArriving } from '#server/import/run/import-arriving.ts';
import { startImportJob } from '#server/import/run/import-job.ts';
import { readBatchHeaders } from '#server/import/run/import-results.ts';
import type { RunningImports } from '#server/import/run/running-imports.ts';
import { deleteJob } from '#server/jobs/jobs.sql.ts';
import { notCsv, readCsv } from '#server/kit/csv/read-csv.ts';
import type { Db } from '#server/kit/db/db.ts';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import { findResponse, type IdempotencyKey, readIdempotencyKey, replayResponse } from '#server/kit/http/idempotency.ts';
import { mount } from '#server/kit/http/serve.ts';
import { readUpload, type Upload } from '#server/kit/http/upload.ts';
import type { Logger } from '#server/kit/log.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { deleteUpload, insertImport, startRun, toFileName, toStorable } from './imports.sql.ts';

interface ImportDeps extends Deps {
  log: Logger;
  running: RunningImports;
  /** Aborted when the server shuts down. */
  closing: AbortSignal;
}

export function importRoutes(app: App, deps: ImportDeps) {
  mount(app, deps.guard, importBusinesses, async (request, reply) => {
    const upload = await readUpload(request, importBusinesses.upload ?? '', MAX_FILE_BYTES);
    try {
      return await importUpload(upload, { request, reply }, deps);
    } finally {
      upload.abort();
    }
  });
}

interface UploadRequest {
  request: FastifyRequest;
  reply: FastifyReply;
}

async function importUpload(upload: Upload, { request, reply }: UploadRequest, deps: ImportDeps) {
  const { db, log, running } = deps;
  if (!/\.csv$/i.test(upload.fileName)) throw notCsv();
  const action = readIdempotencyKey(request);
  const file = hashFile(upload.bytes);
  const earlier = action && (await findResponse(db, action));
  if (earlier) return replayResponse<ImportResponse>(reply, earlier, await file.hash());

  const { id: userId } = request.viewer as Viewer; // the call's access requires one
  const importId = readImportId(request);
  const ip = clientIpKey(request.ip);
  const batchId = randomUUID();
  const size = Number(request.headers['content-length'] ?? 0); // exact once the file has arrived
  const fileName = toFileName(upload.fileName);
  if (!(await insertImport(db, { id: importId, userId, fileName, state: 'uploading', size, batchId }))) {
    throw new Refusal('validation_failed', 'An import with this id exists already');
  }
  const stored = storeUpload(db, importId, file.chunks);
  const connection = abortOnClose(upload, stored, reply, deps.closing);
  try {
    const read = countBytes();
    const records = readCsv(readStoredFile(db, importId, { upload: stored, onRead: read.add }));
    const table = await readTable(records, await listFields(db));
    const started = await db.transaction((tx) => startUploaded(tx, importId, { ip, action, userId, table }));
    if (started.concurrent) {
      await stored.complete;
      return replayResponse<ImportResponse>(reply, started.concurrent, await file.hash());
    }
    return await running.run(importId, async (stopping) => {
      const signal = AbortSignal.any([stopping, connection.signal]);
      signal.addEventListener('abort', () => upload.abort(signal.reason));
      const response = await importArriving({
        ...{ db, log, job: started.job, ip, signal, table, readBytes: read.total },
        keyed: action && { action, hashFile: file.hash },
      });
      reply.headers(await readBatchHeaders(db, batchId));
      return response;
    });
  } finally {
    connection.removeListeners();
    await deleteUpload(db, importId).catch((error: unknown) =>
      log.warn({ err: error }, 'a refused upload was not deleted; housekeeping does it'),
    );
  }
}

/** By then the request holds its job, so that no process takes it over. */
const HELD_BY = sql`now() + interval '2 seconds'`;

interface UploadedFile {
  ip: string;
  action: IdempotencyKey | undefined;
  userId: number;
  table: CsvTable;
}

/** Starts the import, unless the one that was running until now was the same request. */
async function startUploaded(tx: Db, id: string, { ip, action, userId, table }: UploadedFile) {
  await startImportJob(tx, { id, ip, runAt: HELD_BY, input: { arriving: true } });
  const concurrent = action && (await findResponse(tx, action));
  if (!concurrent) return { job: await startRun(tx, id, { ...describeTable(table), state: 'running', userId }) };
  await deleteJob(tx, id);
  return { concurrent };
}

function readImportId({ headers }: FastifyRequest): string {
  const chosen = headers[IMPORT_ID_HEADER];
  if (chosen === undefined) return randomUUID();
  const parsed = z.uuid().safeParse(chosen);
  if (!parsed.success) throw new Refusal('validation_failed', 'The id of an import must be a UUID');
  return parsed.data;
}

/** As chosen columns, so that the import can be continued. */
const describeTable = ({ header, headerRow, columns }: CsvTable) => ({
  headerRow,
  columns: header.map((heading, index) => ({
    heading: toStorable(heading),
    samples: [],
    target: [...columns.indexes].find(([, indexes]) => indexes.includes(index))?.[0] ?? ('Ignore' as const),
  })),
});

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

/** Aborts when the server shuts down, or when the client disconnects before all of the file has arrived. */
function abortOnClose(upload: Upload, stored: StoredUpload, reply: FastifyReply, closing: AbortSignal) {
  const controller = new AbortController();
  const abort = (reason: Refusal) => {
    controller.abort(reason);
    upload.abort(reason);
  };
  const onShutdown = () => abort(new Refusal('shutting_down', 'The server is being restarted.'));
  const onDisconnect = () => {
    if (reply.raw.writableEnded || stored.isComplete()) return;
    abort(new Refusal('invalid_request', 'The upload was cancelled.'));
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
