import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { getUser } from '#contract/auth/auth.calls.ts';
import { type ImportAnswer, importBusinesses } from '#contract/import/import.calls.ts';
import { ApiError, newIdempotencyKey } from '#web/kit/api.ts';
import { sendFile } from '#web/kit/send-file.ts';

/** A file somebody chose. It keeps its key, so that sending it again after a lost answer gets that answer. */
export interface ChosenFile {
  file: File;
  key: string;
}

export const chosen = (file: File): ChosenFile => ({ file, key: newIdempotencyKey() });

export function useImport() {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  const underWay = useRef<AbortController>(null);
  const importing = useMutation({
    mutationFn: ({ file, key }: ChosenFile) => {
      underWay.current = new AbortController();
      setSent(0);
      return sendFile(importBusinesses, file, {
        signal: underWay.current.signal,
        idempotencyKey: key,
        onSent: setSent,
      });
    },
    // After a failure too: some of the rows may have been imported by then.
    onSettled: () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getUser.path }),
    meta: { done: sayDone, failed: sayFailed },
  });

  return { importing, sent, cancel: () => underWay.current?.abort() };
}

/** Why it failed, in the words for people. */
export const reasonFor = (error: Error) => sayFailed(error).description;

function sayDone({ importResults: { successful, total } }: ImportAnswer) {
  return {
    title: 'CSV Import Successful',
    description: `Successfully imported ${successful} of ${total} businesses.`,
  };
}

function sayFailed(error: Error) {
  if (error instanceof ApiError) {
    return { title: 'Import Failed', description: error.explained ? error.message : 'Failed to import CSV file' };
  }
  return { title: 'Upload Error', description: 'An unexpected error occurred during the import process' };
}
