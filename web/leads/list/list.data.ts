import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type LeadItem, type LeadStatus, leadStatus, MAIN_STATUSES } from '#contract/leads/lead.ts';
import {
  listLeadPoints,
  listLeadStatuses,
  listLeads,
  listLeadTags,
  listLeadTowns,
  listLeadTypes,
} from '#contract/leads/lead-lists.calls.ts';
import { markViewedInList } from '#contract/leads/leads.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { read, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { patchLeadInCache, refetchLeads, useAssignees } from '#web/leads/leads.data.ts';
import { useWaitingChanges } from '#web/leads/waiting/waiting.data.ts';
import { useUsers } from '#web/users/users.data.ts';
import { type ListState, toFilterQuery, toPageQuery } from './list-state.ts';

/** A page of leads, refetched on every visit and on return to the page: other users change leads too. */
export function useLeadPage(state: ListState, viewer: Viewer, { enabled }: { enabled: boolean }) {
  const waiting = useWaitingChanges();
  return useQuery({
    ...read(listLeads, { query: toPageQuery(state, viewer) }),
    select: (page) => ({ ...page, items: page.items.map(waiting) }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
    ...refetchOnReturn,
  });
}

const LARGEST_PAGE = 100;

/** The first `count` leads of a list, in its order. */
export async function loadLeads(state: ListState, viewer: Viewer, count: number): Promise<LeadItem[]> {
  const items: LeadItem[] = [];
  for (let page = 1; items.length < count; page += 1) {
    const query = toPageQuery({ ...state, page, pageSize: LARGEST_PAGE }, viewer);
    const { items: loaded } = await send(listLeads, { query });
    items.push(...loaded);
    if (loaded.length < LARGEST_PAGE) break;
  }
  return items;
}

export const useLeadPoints = (state: ListState, viewer: Viewer) =>
  useQuery({
    ...read(listLeadPoints, { query: toFilterQuery(state, viewer) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    ...refetchOnReturn,
  });

const cachedForAMinute = { staleTime: 60_000 };

/** The scope of the options is that of the list. */
const inScope = ({ team }: ListState) => (team ? { query: { team } } : {});

export const useTowns = (state: ListState) => useQuery({ ...read(listLeadTowns, inScope(state)), ...cachedForAMinute });
export const useTags = (state: ListState) => useQuery({ ...read(listLeadTags, inScope(state)), ...cachedForAMinute });

export const useTypes = (state: ListState) => useQuery({ ...read(listLeadTypes, inScope(state)), ...cachedForAMinute });

const useStatusesInUse = (state: ListState) =>
  useQuery({ ...read(listLeadStatuses, inScope(state)), ...cachedForAMinute });

/** The five main statuses, and any of the other three that visible leads have. */
export function useStatuses(state: ListState): LeadStatus[] {
  const inUse = useStatusesInUse(state).data ?? [];
  return leadStatus.options.filter((status) => MAIN_STATUSES.includes(status) || inUse.includes(status));
}

const useAccounts = ({ role }: Viewer) => useUsers({ enabled: role === 'admin' });
const useMembers = ({ role }: Viewer) => useAssignees({ enabled: role === 'manager' });

/** The users whose leads the viewer may list. Empty while they are not loaded. */
export function useListedUsers(viewer: Viewer): { id: number; fullName: string; username: string }[] {
  const accounts = useAccounts(viewer);
  const members = useMembers(viewer);
  return accounts.data ?? members.data ?? [];
}

/** Reads again the options of the filters that could not be loaded; undefined where there are none. */
export function useRetryOptions(state: ListState, viewer: Viewer): (() => void) | undefined {
  const choices = [useTowns(state), useTags(state), useTypes(state), useStatusesInUse(state)];
  const reads = [...choices, useAccounts(viewer), useMembers(viewer)];
  const failed = reads.filter(({ isLoadingError }) => isLoadingError);
  if (failed.length === 0) return undefined;
  return () => {
    for (const read of failed) void read.refetch();
  };
}

export function useMarkViewed(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(markViewedInList.byId, { params: { id } }),
    onSuccess: (lead) => {
      patchLeadInCache(queries, lead);
      return refetchLeads(queries);
    },
    meta: { success: 'Business marked as viewed' },
  });
}

export function useRefreshList() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => refetchLeads(queries, { throwOnError: true }),
    meta: { success: LIST_REFRESHED },
  });
}

/** Quiet: it would cover the controls at the end of the list. */
export const LIST_REFRESHED = {
  title: 'List refreshed',
  description: 'You are looking at the latest leads.',
  quiet: true,
} as const;
