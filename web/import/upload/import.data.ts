import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { getUser } from '#contract/auth/auth.calls.ts';
import {
  IMPORT_ID_HEADER,
  type ImportResponse,
  importBusinesses,
  MAX_FILE_BYTES,
} from '#contract/import/import.calls.ts';
import type { ImportJob } from '#contract/import/import-job.ts';
import { cancelImport, createImport, listImports } from '#contract/import/import-jobs.calls.ts';
import { ApiError, newIdempotencyKey, newUuid, refetch, send } from '#web/kit/api.ts';
import { sendFile } from '#web/kit/files/send-file.ts';
import { type ColumnMode, decideColumns } from './csv-head.ts';
import { createProgress, type Progress } from './upload-progress.ts';

/** A chosen file with its idempotency key: sending it again after a lost response returns that response. */
export interface ChosenFile {
  file: File;
  key: string;
  columns: Promise<ColumnMode>;
}

export const chooseFile = (file: File): ChosenFile => ({
  file,
  key: newIdempotencyKey(),
  // A file that cannot be read is uploaded as any other: that fails, and reports why.
  columns: isWorkbook(file) ? Promise.resolve('chosen') : decideColumns(file).catch(() => 'fixed'),
});

export const isWorkbook = ({ name }: Pick<File, 'name'>) => /\.xlsx$/i.test(name);

export type FileKind = 'CSV' | 'Excel';
const NAMES: Record<FileKind, RegExp> = { CSV: /\.csv$/i, Excel: /\.xlsx$/i };
const WRONG_NAME: Record<FileKind, string> = {
  CSV: 'Please select a CSV file',
  Excel: 'Please select an Excel file',
};

/** Why the server would refuse the file, checked before the upload. */
export function validateFile({ name, size }: Pick<File, 'name' | 'size'>, kind: FileKind): string | undefined {
  if (!NAMES[kind].test(name)) return WRONG_NAME[kind];
  if (size > MAX_FILE_BYTES) return `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`;
  return size === 0 ? 'The file is empty' : undefined;
}

interface StartedImport extends ChosenFile {
  /** Of the import that the server makes of the file; another one for each attempt. */
  importId: string;
  upload: AbortController;
  sent: Progress;
}

interface ImportState {
  status: 'idle' | 'pending' | 'success' | 'error';
  variables: StartedImport;
  /** A job where the columns are still to be chosen. */
  data: ImportResponse | ImportJob | undefined;
  error: Error | null;
}

const mutationKey = [importBusinesses.path];

/**
 * The latest import. Its state is in the mutation cache: it continues while another screen is open, and ends with the
 * session like every other request.
 */
export function useImport() {
  const queries = useQueryClient();
  const mutations = queries.getMutationCache();
  const latest = useMutationState({ filters: { mutationKey }, select: ({ state }) => state as ImportState }).at(-1);

  const { mutate } = useMutation({
    mutationKey,
    mutationFn: upload,
    // The result stays until the user returns to the screen.
    gcTime: Number.POSITIVE_INFINITY,
    // After a failure, too: some rows may have been imported.
    onSettled: () => refetchAfterImport(queries),
    meta: { success: toSuccessToast, errorToast: toErrorToast },
  });

  /** Removes the results of finished imports. */
  const clear = useCallback(() => {
    for (const mutation of mutations.findAll({ mutationKey })) {
      if (mutation.state.status !== 'pending') mutations.remove(mutation);
    }
  }, [mutations]);

  const start = (picked: ChosenFile) => {
    clear();
    mutate({ ...picked, importId: newUuid(), upload: new AbortController(), sent: createProgress() });
  };
  return {
    latest,
    clear,
    start,
    cancel: () => {
      latest?.variables.upload.abort();
      // The server goes on with a file that it has received as a whole.
      if (latest?.variables.sent.get() === 1) void cancelRunning(queries, latest.variables.importId);
    },
  };
}

/** Everything but the session: imported leads are in lists, counts, pickers and the team's progress. */
export const refetchAfterImport = (queries: QueryClient) =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getUser.path });

async function upload(started: StartedImport): Promise<ImportResponse | ImportJob> {
  const { file, key, upload, sent } = started;
  const warnBeforeLeaving = (event: BeforeUnloadEvent) => {
    // Leaving the page aborts the upload, but not the import of a file that has arrived.
    if (sent.get() < 1) event.preventDefault();
  };
  window.addEventListener('beforeunload', warnBeforeLeaving);
  try {
    const options = { signal: upload.signal, idempotencyKey: key, onProgress: sent.set };
    return (await started.columns) === 'chosen'
      ? await sendFile(createImport, file, options)
      : await sendFile(importBusinesses, file, { ...options, headers: { [IMPORT_ID_HEADER]: started.importId } });
  } finally {
    window.removeEventListener('beforeunload', warnBeforeLeaving);
  }
}

/** Errors are not reported: the list then still shows the import as running, with a Cancel of its own. */
async function cancelRunning(queries: QueryClient, id: string) {
  await send(cancelImport, { params: { id } }).catch(() => {});
  await refetch(queries, listImports);
}

export const describeImportError = (error: Error) => toErrorToast(error).description;

function toSuccessToast(data: ImportResponse | ImportJob) {
  if (!('importResults' in data)) return undefined;
  const { successful, total } = data.importResults;
  return {
    title: 'CSV Import Successful',
    description: `Successfully imported ${successful} of ${total} businesses.`,
  };
}

function toErrorToast(error: Error) {
  if (error instanceof ApiError) {
    return { title: 'Import Failed', description: error.hasMessage ? error.message : 'Failed to import CSV file' };
  }
  return { title: 'Upload Error', description: 'An unexpected error occurred during the import process' };
}
