import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ResponseBody } from '#contract/call.ts';
import { type AssignmentChoice, formatShares } from '#contract/leads/sharing/assignment.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import { refetch, send } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';

/** Who would get how many of these businesses. Not asked for until enough is chosen. */
export const useAssignmentPreview = (businessIds: number[], choice: AssignmentChoice | undefined) =>
  useQuery({
    queryKey: [calls.previewAssignment.path, { businessIds, choice }],
    queryFn: ({ signal }) =>
      send(calls.previewAssignment, { body: { businessIds, choice: choice as AssignmentChoice } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled: choice !== undefined,
  });

interface Assignment {
  businessIds: number[];
  choice: AssignmentChoice;
}

/** Assigns businesses as the preview showed, in one transaction. */
export function useAssignBusinesses() {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  return useMutation({
    mutationFn: async (body: Assignment) => {
      const response = await send(calls.assignBusinesses, { body }, { idempotencyKey: idempotencyKey.keyFor(body) });
      idempotencyKey.reset();
      return response;
    },
    onSettled: () => {
      void refetchLeads(queries);
      void refetch(queries, searchBusinesses);
    },
    meta: { success: toSuccessToast, undo: undoByToast(queries), errorTitle: 'Failed to assign businesses' },
  });
}

function toSuccessToast({ shares }: ResponseBody<typeof calls.assignBusinesses>) {
  const [count, held] = shares.reduce(([all, none], share) => [all + share.count, none + share.held], [0, 0]);
  if (count === 0) return { title: 'Partial Success', description: `All ${held} business(es) were already assigned` };
  const already = held > 0 ? `. ${held} already assigned` : '';
  return {
    title: held > 0 ? 'Partial Success' : 'Success',
    description: `${count} business(es) assigned successfully: ${formatShares(shares)}${already}`,
  };
}
