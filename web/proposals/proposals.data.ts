import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ResponseBody } from '#contract/call.ts';
import { decideProposal, listProposals } from '#contract/proposals/proposals.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';

/** What programs propose to the viewer, refetched on every visit, whenever leads change, and with a new notification. */
export const useProposals = () => useQuery({ ...read(listProposals), ...refetchOnReturn, refetchOnMount: 'always' });

type Decision = ResponseBody<typeof decideProposal>;

export function useDecide() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ proposalId, accept }: { proposalId: string; accept: number[] }) =>
      send(decideProposal, { params: { proposalId }, body: { accept } }),
    onSuccess: ({ proposal, accepted }) => {
      queries.setQueryData(read(listProposals).queryKey, (proposals) =>
        proposals?.map((each) => (each.id === proposal.id ? proposal : each)),
      );
      if (accepted) void refetchLeads(queries);
    },
    onError: () => void refetch(queries, listProposals),
    meta: {
      success: ({ message }: Decision) => message,
      undo: undoByToast(queries),
      errorTitle: 'The proposal was not decided',
    },
  });
}
