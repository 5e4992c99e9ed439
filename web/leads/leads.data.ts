import { type Query, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { AnyCall } from '#contract/call.ts';
import type { Lead, LeadBusiness, LeadProfile } from '#contract/leads/lead.ts';
import type { LeadCall, LeadRef } from '#contract/leads/lead-call.ts';
import { type LeadPage, listAllTags, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { getAssignmentHistory, getLead, listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import type { LeadsChanged } from '#contract/notifications/events.ts';
import { read, send } from '#web/kit/api.ts';
import { usePendingUpdates } from '#web/kit/optimistic.ts';
import { sendOrKeep } from '#web/kit/outbox/send-or-keep.ts';
import { refetchOnReturn, refetchWhenVisible } from '#web/kit/queries.ts';
import { describeChange, useWaitingChanges } from './waiting/waiting.data.ts';

interface LeadInput<B extends z.ZodType, Q extends z.ZodType> {
  body?: z.input<B>;
  query?: z.input<Q>;
  /** Path parameters after the lead's own. */
  params?: Record<string, string>;
}

/** Sends a call on a lead, by id or by uuid as the reference has it. */
export function sendLeadCall<
  B extends z.ZodType,
  A extends z.ZodType,
  M extends z.ZodRawShape,
  Q extends z.ZodType = z.ZodType,
>(
  call: LeadCall<B, A, M, Q>,
  leadRef: LeadRef,
  { body, query, params }: LeadInput<B, Q> = {},
  options: Parameters<typeof send>[2] = {},
): Promise<z.output<A>> {
  // Both forms of a call have the same response, which TypeScript cannot infer from the union of their types.
  const input = { params: { ...leadRef, ...params }, query, body };
  return send(chooseForm(call, leadRef), input, options) as Promise<z.output<A>>;
}

/** Like `sendLeadCall`, for a change that waits on this device where there is no connection. */
export function sendLeadChange<B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape>(
  queries: QueryClient,
  call: LeadCall<B, A, M>,
  leadRef: LeadRef,
  { body, params, idempotencyKey, ...change }: LeadInput<B, z.ZodType> & LeadChange,
): Promise<z.output<A>> {
  const described = describeChange(queries, leadRef, change);
  const input = { params: { ...leadRef, ...params }, body };
  return sendOrKeep(chooseForm(call, leadRef), input, {
    ...described,
    ...(idempotencyKey && { idempotencyKey }),
  }) as Promise<z.output<A>>;
}

type LeadChange = Parameters<typeof describeChange>[2] & { idempotencyKey?: string };

export const chooseForm = (call: { byId: AnyCall; byUuid: AnyCall }, leadRef: LeadRef) =>
  'id' in leadRef ? call.byId : call.byUuid;

/** The options of `useQuery` for a call that reads a lead. */
export const readLead = <B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape>(
  leadCall: LeadCall<B, A, M>,
  leadRef: LeadRef,
) => {
  const call = chooseForm(leadCall, leadRef);
  return queryOptions({
    queryKey: [call.path, leadRef],
    queryFn: ({ signal }) => sendLeadCall(leadCall, leadRef, {}, { signal }),
    meta: { call },
  });
};

export const leadQuery = (leadRef: LeadRef) => readLead(getLead, leadRef);

export function useLead(leadRef: LeadRef) {
  const query = leadQuery(leadRef);
  const [pending, waiting] = [usePendingUpdates<LeadProfile>(query.queryKey), useWaitingChanges()];
  return useQuery({ ...query, ...refetchOnReturn, select: (profile) => waiting(pending(profile)) });
}

export const useAssignmentHistory = (leadRef: LeadRef) =>
  useQuery({ ...readLead(getAssignmentHistory, leadRef), ...refetchOnReturn });

/** The users to whom a lead can be reassigned. Never cached: users may have been added or deactivated. */
export const useAssignees = ({ enabled = true } = {}) =>
  useQuery({ ...read(listUsersForReassignment), staleTime: 0, enabled });

/** The tags on all leads visible to the viewer, as suggestions. Empty while they are not loaded. */
export const useKnownTags = () => useQuery({ ...read(listAllTags), staleTime: 60_000 }).data ?? [];

type ReadQuery = Pick<Query, 'queryKey' | 'meta'>;

/** Whether the response of a query depends on leads. */
export const isLeadRead = ({ meta }: ReadQuery) => Boolean(meta?.call?.showsLeads);
const leadReads = { predicate: isLeadRead };

/** Refetches the lead reads on the screen, and marks the other ones stale. */
export const refetchLeads = (queries: QueryClient, options: { throwOnError?: boolean } = {}) =>
  queries.invalidateQueries(leadReads, options);

/** Marks all lead reads stale without a refetch: the cache is patched already, or the screen is about to be left. */
export const invalidateLeads = (queries: QueryClient) =>
  queries.invalidateQueries({ ...leadReads, refetchType: 'none' });

/** Refetches the profiles and lists that these changes can affect. What is derived from leads is only marked stale. */
export function refetchChangedLeads(queries: QueryClient, { ids, inList }: LeadsChanged) {
  const isAffected = ({ queryKey: [, input], meta }: ReadQuery) => {
    const shown = meta?.call?.showsLeads;
    if (shown === 'list') return inList || listsTeam(input);
    if (shown !== 'one' || !ids) return shown === 'one';
    const id = findLeadId(queries, input as LeadRef);
    return id === undefined || ids.includes(id);
  };
  if (inList) {
    const isOther = (query: ReadQuery) => isLeadRead(query) && !isAffected(query);
    void queries.invalidateQueries({ predicate: isOther, refetchType: 'none' });
  }
  return refetchWhenVisible(queries, isAffected);
}

/** Whether a read is a manager's list of the team, which every change that the viewer hears of can affect. */
const listsTeam = (input: unknown) => (input as { query?: { team?: boolean } } | undefined)?.query?.team === true;

/** Undefined for a uuid whose profile is not loaded, or was refused. */
const findLeadId = (queries: QueryClient, leadRef: LeadRef) =>
  'id' in leadRef ? leadRef.id : queries.getQueryData(leadQuery(leadRef).queryKey)?.userBusiness.id;

/** Writes the fields of a lead into every cached profile and list page that has it. */
export function patchLeadInCache(queries: QueryClient, lead: Partial<Lead> & { id: number }) {
  const patch = <T extends { userBusiness: Lead }>(item: T): T =>
    item.userBusiness.id === lead.id ? { ...item, userBusiness: { ...item.userBusiness, ...lead } } : item;
  patchProfiles(queries, patch);
  queries.setQueriesData<LeadPage>(
    { queryKey: [listLeads.path] },
    (page) => page && { ...page, items: page.items.map(patch) },
  );
}

export function patchBusinessInCache(queries: QueryClient, business: LeadBusiness) {
  patchProfiles(queries, (profile) => (profile.business.id === business.id ? { ...profile, business } : profile));
}

function patchProfiles(queries: QueryClient, patch: (profile: LeadProfile) => LeadProfile) {
  const paths: unknown[] = [getLead.byId.path, getLead.byUuid.path];
  queries.setQueriesData<LeadProfile>(
    { predicate: ({ queryKey }) => paths.includes(queryKey[0]) },
    (profile) => profile && patch(profile),
  );
}
