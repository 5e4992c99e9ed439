import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { getUser } from '#contract/auth/auth.calls.ts';
import { type ImportResponse, importBusinesses } from '#contract/import/import.calls.ts';
import { ApiError, newIdempotencyKey } from '#web/kit/api.ts';
import { sendFile } from '#web/kit/send-file.ts';
import { createProgress, type Progress } from './upload-progress.ts';

/** A file somebody chose. It keeps its key, so that sending it again after a lost answer gets that answer. */
export interface ChosenFile {
  file: File;
  key: string;
}

export const chosen = (file: File): ChosenFile => ({ file, key: newIdempotencyKey() });

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
 * The import that was started last. It lives in the mutation cache, above the screens: it goes on when its screen is
 * left and is found there again, and ends with the session like every other request.
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
        return await sendFile(importBusinesses, file, { signal, idempotencyKey: key, onSent: sent.set });
      } finally {
        window.removeEventListener('beforeunload', warnBeforeLeaving);
      }
    },
    // Its result waits for the person, however long they are elsewhere.
    gcTime: Number.POSITIVE_INFINITY,
    // After a failure too: some of the rows may have been imported by then.
    onSettled: () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getUser.path }),
    meta: { success: sayDone, errorToast: sayFailed },
  });

  /** Removes the result of an import that has ended. */
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

/** Why it failed, in the words for people. */
export const reasonFor = (error: Error) => sayFailed(error).description;

/** An upload ends with its page. */
const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

function sayDone({ importResults: { successful, total } }: ImportResponse) {
  return {
    title: 'CSV Import Successful',
    description: `Successfully imported ${successful} of ${total} businesses.`,
  };
}

function sayFailed(error: Error) {
  if (error instanceof ApiError) {
    return { title: 'Import Failed', description: error.hasMessage ? error.message : 'Failed to import CSV file' };
  }
  return { title: 'Upload Error', description: 'An unexpected error occurred during the import process' };
}
