import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type LeadStatus, leadStatus, MAIN_STATUSES } from '#contract/leads/lead.ts';
import {
  listLeadPoints,
  listLeadStatuses,
  listLeads,
  listLeadTags,
  listLeadTowns,
} from '#contract/leads/lead-lists.calls.ts';
import { viewLead } from '#contract/leads/leads.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { read, send } from '#web/kit/api.ts';
import { putLead, refreshLeads } from '#web/leads/lead-reads.data.ts';
import { filterOf, type ListState, pageQueryOf } from './list-state.ts';

/** A page of leads. Others work on them too, so it is asked for anew whenever it is opened. */
export const useLeadPage = (state: ListState, viewer: Viewer) =>
  useQuery({
    ...read(listLeads, { query: pageQueryOf(state, viewer) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const useLeadPoints = (state: ListState, viewer: Viewer) =>
  useQuery({ ...read(listLeadPoints, { query: filterOf(state, viewer) }), staleTime: 0 });

const sometimes = { staleTime: 60_000 };

export const useTowns = () => useQuery({ ...read(listLeadTowns), ...sometimes });
export const useTags = () => useQuery({ ...read(listLeadTags), ...sometimes });

/** The five statuses, and any of the other three that leads in view have. */
export function useStatuses(): LeadStatus[] {
  const inUse = useQuery({ ...read(listLeadStatuses), ...sometimes }).data ?? [];
  return leadStatus.options.filter((status) => MAIN_STATUSES.includes(status) || inUse.includes(status));
}

export function useMarkViewed(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(viewLead.byId, { params: { id } }),
    onSuccess: (lead) => {
      putLead(queries, lead);
      return refreshLeads(queries);
    },
    meta: { success: 'Business marked as viewed' },
  });
}

export function useRefreshList() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => refreshLeads(queries, { throwOnError: true }),
    meta: { success: LIST_REFRESHED },
  });
}

export const LIST_REFRESHED = { title: 'List refreshed', description: 'You are looking at the latest leads.' };
