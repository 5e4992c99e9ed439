import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body, Input, ResponseBody } from '#contract/call.ts';
import type { Objection } from '#contract/contact-rules/objection.ts';
import * as calls from '#contract/contact-rules/objections.calls.ts';
import { listLeadObjections } from '#contract/leads/objections/lead-objections.calls.ts';
import { newIdempotencyKey, read, refetch, request, send } from '#web/kit/api.ts';
import { saveCsv } from '#web/kit/files/save-csv.ts';
import { sendFile } from '#web/kit/files/send-file.ts';
import { formatCounted } from '#web/kit/format.ts';

type Query = NonNullable<Input<typeof calls.listObjections>['query']>;

/** A page of who does not want to be contacted; the one before stays until it is there. */
export const useObjections = (query: Query) =>
  useQuery({ ...read(calls.listObjections, { query }), placeholderData: keepPreviousData, staleTime: 0 });

/** What leads show follows by a live event. */
const reload = (queries: QueryClient) =>
  Promise.all([
    refetch(queries, calls.listObjections),
    refetch(queries, listLeadObjections.byId, listLeadObjections.byUuid),
  ]);

export function useAddObjection() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof calls.addObjection>['body']) => send(calls.addObjection, { body }),
    onSuccess: () => reload(queries),
    meta: { success: 'Objection recorded', errorTitle: 'The objection could not be recorded' },
  });
}

export function useLiftObjection() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ objection, reason }: { objection: Objection } & Body<typeof calls.liftObjection>) =>
      send(calls.liftObjection, { params: { objectionId: objection.id }, body: { reason } }),
    onSuccess: () => reload(queries),
    meta: { success: 'Objection lifted', errorTitle: 'The objection could not be lifted' },
  });
}

export const useExportObjections = () =>
  useMutation({
    mutationFn: async (query: Query) => saveCsv(await request(calls.exportObjections, { query }), 'objections.csv'),
    meta: {
      success: (count: number) => ({
        title: `${formatCounted(count, 'row')} exported`,
        description: 'The file is called objections.csv.',
      }),
      errorTitle: 'Export failed',
      fallbackMessage: 'The connection was lost. Nothing was saved; please try again.',
    },
  });

export function useImportObjections() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (file: File) =>
      sendFile(calls.importObjections, file, {
        signal: new AbortController().signal,
        idempotencyKey: newIdempotencyKey(),
        onProgress: () => {},
      }),
    onSuccess: () => reload(queries),
    meta: {
      success: ({ recorded, repeated }: ResponseBody<typeof calls.importObjections>) => ({
        title: `${formatCounted(recorded, 'objection')} recorded`,
        ...(repeated > 0 && { description: `${formatCounted(repeated, 'row')} stood in the list before.` }),
      }),
      errorTitle: 'The file could not be imported',
    },
  });
}
