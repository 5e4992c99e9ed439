import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { MAX_FILE_BYTES } from '#contract/import/import.calls.ts';
import { createImport } from '#contract/import/import-jobs.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { inspectFile } from '#server/import/file/inspect-file.ts';
import { storeUpload } from '#server/import/file/stored-file.ts';
import { notCsv } from '#server/kit/csv/read-csv.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readUpload } from '#server/kit/http/upload.ts';
import { deleteImport, insertImport, toFileName, updateImport } from './imports.sql.ts';

/** Stores the uploaded file as an import whose columns wait to be confirmed, and returns its id. */
export async function createDraft(db: Db, request: FastifyRequest): Promise<string> {
  const upload = await readUpload(request, createImport.upload ?? '', MAX_FILE_BYTES).catch((error) => {
    throw withBothFormats(error);
  });
  const id = randomUUID();
  try {
    const fileName = toFileName(upload.fileName);
    if (!/\.(csv|xlsx)$/i.test(fileName)) throw notCsv();
    const { id: userId } = request.viewer as Viewer; // the call's access requires one
    await insertImport(db, { id, userId, fileName, state: 'uploading', batchId: randomUUID() });
    const size = await storeUpload(db, id, upload.bytes).complete;
    const layout = await inspectFile(db, { id, fileName, size });
    await updateImport(db, id, { ...layout, state: 'mapping' });
    return id;
  } catch (error) {
    await deleteImport(db, id);
    throw withBothFormats(error);
  } finally {
    upload.abort();
  }
}

/** The specified call names the one format that it takes. */
function withBothFormats(error: unknown) {
  const namesFormat =
    error instanceof Refusal && (error.code === 'unsupported_media_type' || error.code === 'file_required');
  return namesFormat ? new Refusal(error.code, 'Please select a CSV or Excel file') : error;
}
