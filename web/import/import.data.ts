import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { getUser } from '#contract/auth/auth.calls.ts';
import { type ImportResponse, importBusinesses, MAX_FILE_BYTES } from '#contract/import/import.calls.ts';
import { ApiError, newIdempotencyKey } from '#web/kit/api.ts';
import { sendFile } from '#web/kit/send-file.ts';
import { createProgress, type Progress } from './upload-progress.ts';

/** A chosen file with its idempotency key: sending it again after a lost response returns that response. */
export interface ChosenFile {
  file: File;
  key: string;
}

export const chooseFile = (file: File): ChosenFile => ({ file, key: newIdempotencyKey() });

/** Why the server would refuse the file, checked before the upload. */
export function validateFile({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (!/\.csv$/i.test(name)) return 'Please select a CSV file';
  if (size > MAX_FILE_BYTES) return `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`;
  return size === 0 ? 'The file is empty' : undefined;
}

interface StartedImport extends ChosenFile {
  upload: AbortController;
  sent: Progress;
}

interface ImportState {
  status: 'idle' | 'pending' | 'success' | 'error';
  variables: StartedImport;
  data: ImportResponse | undefined;
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
    mutationFn: async ({ file, key, upload, sent }: StartedImport) => {
      window.addEventListener('beforeunload', warnBeforeLeaving);
      try {
        const { signal } = upload;
        return await sendFile(importBusinesses, file, { signal, idempotencyKey: key, onProgress: sent.set });
      } finally {
        window.removeEventListener('beforeunload', warnBeforeLeaving);
      }
    },
    // The result stays until the user returns to the screen.
    gcTime: Number.POSITIVE_INFINITY,
    // After a failure, too: some rows may have been imported.
    onSettled: () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getUser.path }),
    meta: { success: toSuccessToast, errorToast: toErrorToast },
  });

  /** Removes the results of finished imports. */
  const clear = useCallback(() => {
    for (const mutation of mutations.findAll({ mutationKey })) {
      if (mutation.state.status !== 'pending') mutations.remove(mutation);
    }
  }, [mutations]);

  return {
    latest,
    clear,
    start: (picked: ChosenFile) => {
      clear();
      mutate({ ...picked, upload: new AbortController(), sent: createProgress() });
    },
    cancel: () => latest?.variables.upload.abort(),
  };
}

export const describeImportError = (error: Error) => toErrorToast(error).description;

/** Leaving the page aborts the upload. */
const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

function toSuccessToast({ importResults: { successful, total } }: ImportResponse) {
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
