import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input } from '#contract/call.ts';
import type { Job } from '#contract/jobs/job.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import * as calls from '#contract/leads/own-fields/own-fields.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';
import { followJob } from '#web/kit/follow-job.ts';
import { formatCounted } from '#web/kit/format.ts';

/** The fields of the team's own, archived ones included. A live event refetches them. */
export const useOwnFieldsQuery = () => useQuery(read(calls.listOwnFields));

const NONE: OwnField[] = [];

/** None for as long as they are not loaded. */
export const useOwnFields = (): OwnField[] => useOwnFieldsQuery().data?.fields ?? NONE;

const reload = (queries: QueryClient) => refetch(queries, calls.listOwnFields);

export function useCreateField() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<Input<typeof calls.createOwnField>['body']>) => send(calls.createOwnField, { body }),
    onSuccess: () => reload(queries),
    meta: { success: ({ name }: OwnField) => `“${name}” added`, errorTitle: 'Failed to add the field' },
  });
}

export function useChangeField(fieldId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<Input<typeof calls.changeOwnField>['body']>) =>
      send(calls.changeOwnField, { params: { fieldId }, body }),
    onSuccess: () => reload(queries),
    meta: { success: ({ name }: OwnField) => `“${name}” saved`, errorTitle: 'Failed to save the field' },
  });
}

export function useOrderFields() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ids: number[]) => send(calls.orderOwnFields, { body: { ids } }),
    onMutate: (ids) => {
      // The list shows the new order at once.
      queries.setQueryData(
        read(calls.listOwnFields).queryKey,
        (old) =>
          old && { fields: [...old.fields].sort((a, b) => toPlace(ids.indexOf(a.id)) - toPlace(ids.indexOf(b.id))) },
      );
    },
    onSuccess: (ordered) => queries.setQueryData(read(calls.listOwnFields).queryKey, ordered),
    onError: () => reload(queries),
    meta: { errorTitle: 'Failed to move the field' },
  });
}

const toPlace = (index: number) => (index < 0 ? Number.MAX_SAFE_INTEGER : index);

/** Archiving takes effect at once: undoing is restoring. */
export function useArchiveField() {
  const queries = useQueryClient();
  const restore = useRestoreField();
  return useMutation({
    mutationFn: ({ id }: OwnField) => send(calls.archiveOwnField, { params: { fieldId: id } }),
    onSuccess: () => reload(queries),
    meta: {
      success: ({ name }: OwnField) => `“${name}” archived`,
      undo: (field: OwnField) => () => restore.mutate(field),
      errorTitle: 'Failed to archive the field',
    },
  });
}

export function useRestoreField() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: OwnField) => send(calls.restoreOwnField, { params: { fieldId: id } }),
    onSuccess: () => reload(queries),
    meta: { success: ({ name }: OwnField) => `“${name}” restored`, errorTitle: 'Failed to restore the field' },
  });
}

/** How many leads have a value, counted anew each time the question is asked. */
export const useValueCount = (fieldId: number) =>
  useQuery({ ...read(calls.countOwnFieldValues, { params: { fieldId } }), gcTime: 0 });

/** Deletes a field, and follows the job that deletes its values. */
export function useDeleteField({ id, name }: OwnField) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Job>();
  const remove = useMutation({
    mutationFn: async (leads: number) => {
      const job = await send(calls.deleteOwnField, { params: { fieldId: id }, body: { leads } });
      void reload(queries);
      return followJob(job, setProgress);
    },
    onSettled: () => reload(queries),
    meta: {
      success: ({ success }: Job) => `“${name}” deleted, with the values of ${formatCounted(success, 'lead')}`,
      errorTitle: 'Failed to delete the field',
    },
  });
  return { ...remove, progress };
}
