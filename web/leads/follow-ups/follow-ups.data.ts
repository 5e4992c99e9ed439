import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '#contract/call.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { send } from '#web/kit/api.ts';
import type { ToastMessages } from '#web/kit/queries.ts';
import { patchLeadInCache, readLead, refetchLeads, sendLeadCall } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { offerBrowserReminders } from '#web/reminders/browser-reminders.ts';

/** The open follow-up of a lead, read only where the lead has one. */
export const useFollowUp = (leadRef: LeadRef, planned: boolean) =>
  useQuery({
    ...readLead(calls.getFollowUp, leadRef),
    select: ({ followUp }) => followUp,
    enabled: planned,
    staleTime: 0,
  });

function useFollowUpMutation<V>(mutationFn: (variables: V) => Promise<Lead>, toasts: ToastMessages) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (lead) => {
      patchLeadInCache(queries, lead);
      return refetchLeads(queries);
    },
    // It may have been completed or moved by another user meanwhile.
    onError: () => void refetchLeads(queries),
    meta: { ...toasts, undo: undoByToast(queries) },
  });
}

export type Plan = NonNullable<Input<typeof calls.planFollowUp.byId>['body']>;

export function usePlanFollowUp(leadRef: LeadRef) {
  const viewer = useViewer();
  const planFollowUp = async (plan: Plan) => {
    const lead = await sendLeadCall(calls.planFollowUp, leadRef, { body: plan });
    // An admin may plan for another holder, who is the one to be reminded.
    if (lead.userId === viewer.id) offerBrowserReminders(viewer.id);
    return lead;
  };
  return useFollowUpMutation(planFollowUp, { success: 'Follow-up planned', errorTitle: 'Failed to plan follow-up' });
}

interface Completion {
  followUpId: number;
  body: NonNullable<Input<typeof calls.completeFollowUp>['body']>;
}

export const useCompleteFollowUp = () =>
  useFollowUpMutation(
    ({ followUpId, body }: Completion) => send(calls.completeFollowUp, { params: { followUpId }, body }),
    { success: 'Follow-up done', errorTitle: 'Failed to complete follow-up' },
  );

export const useDropFollowUp = () =>
  useFollowUpMutation((followUpId: number) => send(calls.dropFollowUp, { params: { followUpId } }), {
    success: 'Follow-up dropped',
    errorTitle: 'Failed to drop follow-up',
  });
