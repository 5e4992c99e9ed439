import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '#contract/call.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { isKept } from '#web/kit/outbox/kept.ts';
import { sendOrKeep } from '#web/kit/outbox/send-or-keep.ts';
import type { ToastMessages } from '#web/kit/queries.ts';
import { patchLeadInCache, readLead, refetchLeads, sendLeadChange } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { describeChange } from '#web/leads/waiting/waiting.data.ts';
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
      if (isKept(lead)) return;
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
  const queries = useQueryClient();
  const planFollowUp = async (plan: Plan) => {
    const lead = await sendLeadChange(queries, calls.planFollowUp, leadRef, {
      body: plan,
      kind: 'plan',
      title: 'Follow-up planned',
      base: ({ userBusiness: { nextStepAt } }) => ({ before: nextStepAt }),
    });
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

/** `leadRef` names the lead where it waits. */
export function useCompleteFollowUp(leadRef?: LeadRef) {
  const queries = useQueryClient();
  return useFollowUpMutation(
    ({ followUpId, body }: Completion) =>
      sendOrKeep(
        calls.completeFollowUp,
        { params: { followUpId }, body },
        describeChange(queries, leadRef ?? { followUpId }, { kind: 'done', title: 'Follow-up done' }),
      ),
    { success: 'Follow-up done', errorTitle: 'Failed to complete follow-up' },
  );
}

export function useDropFollowUp(leadRef?: LeadRef) {
  const queries = useQueryClient();
  return useFollowUpMutation(
    (followUpId: number) =>
      sendOrKeep(
        calls.dropFollowUp,
        { params: { followUpId } },
        describeChange(queries, leadRef ?? { followUpId }, { kind: 'drop', title: 'Follow-up dropped' }),
      ),
    { success: 'Follow-up dropped', errorTitle: 'Failed to drop follow-up' },
  );
}
