import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import { ASKED_LABEL } from '#contract/contact-rules/objection.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import * as calls from '#contract/leads/objections/lead-objections.calls.ts';
import { readLead, refetchLeads, sendLeadCall } from '#web/leads/leads.data.ts';

/** What stands and stood on a lead. */
export const useLeadObjections = (leadRef: LeadRef) => useQuery(readLead(calls.listLeadObjections, leadRef));

export function useRecordObjection(leadRef: LeadRef) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Body<typeof calls.recordLeadObjection.byId>) => {
      const recorded = await sendLeadCall(calls.recordLeadObjection, leadRef, { body });
      return { ...recorded, channel: body.channel };
    },
    onSuccess: ({ objections }) => {
      queries.setQueryData(readLead(calls.listLeadObjections, leadRef).queryKey, { objections });
      void refetchLeads(queries);
    },
    meta: {
      success: ({ channel }: Pick<Body<typeof calls.recordLeadObjection.byId>, 'channel'>) =>
        `Recorded: asked ${ASKED_LABEL[channel]}`,
      errorTitle: 'The objection could not be recorded',
    },
  });
}
