import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import type { ImportChoices, ImportJob, ImportMapping, ImportState } from '#contract/import/import-job.ts';
import * as calls from '#contract/import/import-jobs.calls.ts';
import { refetchAfterImport } from '#web/import/upload/import.data.ts';
import { read, refetch, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';

export type ListedImport = ResponseBody<typeof calls.listImports>['items'][number];

const POLL_MS = 1_000;
const ACTIVE: readonly ImportState[] = ['uploading', 'checking', 'running'];
export const isActive = ({ state }: { state: ImportState }) => ACTIVE.includes(state);

/** The latest imports, polled while one of them is active or `polled` says that one is about to be. */
export const useImports = ({ polled = false } = {}) =>
  useQuery({
    ...read(calls.listImports),
    ...refetchOnReturn,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (polled || state.data?.items.some(isActive) ? POLL_MS : false),
  });

/** One import, polled while it is active. When it ends, everything that shows its leads is fetched again. */
export function useImportJob(id: string) {
  const queries = useQueryClient();
  const job = useQuery({
    ...read(calls.getImport, { params: { id } }),
    ...refetchOnReturn,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? POLL_MS : false),
  });
  const state = job.data?.state;
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'running' && state !== 'running') refetchAfterImport(queries);
    before.current = state;
  }, [queries, state]);
  return job;
}

/** A change of an import, whose response replaces what is shown. */
function useJobMutation<Input>(id: string, mutationFn: (input: Input) => Promise<ImportJob>, errorTitle: string) {
  const queries = useQueryClient();
  const { queryKey } = read(calls.getImport, { params: { id } });
  return useMutation({
    mutationFn,
    // A poll that is under way would show the state before.
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (job) => queries.setQueryData(queryKey, job),
    onError: () => refetch(queries, calls.getImport),
    onSettled: () => refetch(queries, calls.listImports),
    meta: { errorTitle },
  });
}

export const useMapImport = (id: string) =>
  useJobMutation(
    id,
    (body: ImportMapping) => send(calls.mapImport, { params: { id }, body }),
    'The columns could not be read',
  );

export const useCheckImport = (id: string) =>
  useJobMutation(
    id,
    async (body: ImportMapping) => {
      await send(calls.mapImport, { params: { id }, body });
      return send(calls.checkImport, { params: { id }, body: {} });
    },
    'The file could not be checked',
  );

/** Checks the file again with other choices. */
export const useRecheckImport = (id: string) =>
  useJobMutation(
    id,
    (body: ImportChoices) => send(calls.checkImport, { params: { id }, body }),
    'The file could not be checked',
  );

export const useStartImport = (id: string) =>
  useJobMutation(id, () => send(calls.startImport, { params: { id } }), 'The import could not be started');

export const useCancelImport = (id: string) =>
  useJobMutation(id, () => send(calls.cancelImport, { params: { id } }), 'The import could not be cancelled');

export const useContinueImport = (id: string) =>
  useJobMutation(id, () => send(calls.continueImport, { params: { id } }), 'The import could not be continued');

export function useDiscardImport(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(calls.discardImport, { params: { id } }),
    onSettled: () => refetch(queries, calls.listImports),
    meta: { success: 'Import discarded', errorTitle: 'The import could not be discarded' },
  });
}
