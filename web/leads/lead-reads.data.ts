import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { AnyCall } from '#contract/call.ts';
import type { Lead, LeadBusiness, LeadProfile } from '#contract/leads/lead.ts';
import type { LeadCall, LeadRef } from '#contract/leads/lead-call.ts';
import { type LeadPage, listAllTags, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { getAssignmentHistory, getLead, usersForReassignment } from '#contract/leads/leads.calls.ts';
import { read, send } from '#web/kit/api.ts';
import { usePendingUpdates } from '#web/kit/optimistic.ts';

interface Given<B extends z.ZodType> {
  body?: z.input<B>;
  /** Parameters of the path after the lead's own. */
  more?: Record<string, string>;
}

/** Makes a call on a lead in the form that its name asks for. */
export function sendTo<B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape>(
  call: LeadCall<B, A, M>,
  name: LeadRef,
  { body, more }: Given<B> = {},
  options: Parameters<typeof send>[2] = {},
): Promise<z.output<A>> {
  // Both forms have the same answer, which the union of their types no longer knows.
  return send(formOf(call, name), { params: { ...name, ...more }, body }, options) as Promise<z.output<A>>;
}

const formOf = (call: { byId: AnyCall; byUuid: AnyCall }, name: LeadRef) => ('id' in name ? call.byId : call.byUuid);

export const leadQuery = (name: LeadRef) =>
  queryOptions({
    queryKey: [formOf(getLead, name).path, name],
    queryFn: ({ signal }) => sendTo(getLead, name, {}, { signal }),
  });

export function useLead(name: LeadRef) {
  const query = leadQuery(name);
  return useQuery({ ...query, select: usePendingUpdates<LeadProfile>(query.queryKey) });
}

export const useAssignmentHistory = (name: LeadRef) =>
  useQuery({
    queryKey: [formOf(getAssignmentHistory, name).path, name],
    queryFn: ({ signal }) => sendTo(getAssignmentHistory, name, {}, { signal }),
  });

/** Whom a lead can be handed to. Asked anew each time: somebody may have joined or left. */
export const useAssignees = () => useQuery({ ...read(usersForReassignment), staleTime: 0 });

/** Tags on the leads that the viewer sees, to pick from. Without them a tag can still be typed. */
export const useKnownTags = () => useQuery({ ...read(listAllTags), staleTime: 60_000 }).data ?? [];

const PROFILES = [getLead.byId.path, getLead.byUuid.path];
const isProfile = (path: unknown) => PROFILES.some((profile) => profile === path);

/** Every read that shows leads: one, its history, the lists with their companions. */
const LEAD_READ = /^\/api\/(business-profile|assignment-history|leads|my-businesses|admin\/all-assignments|all-tags)\b/;
const leadReads = {
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => LEAD_READ.test(String(queryKey[0])),
};

/** Leads have changed: what is on the screen is read again at once, the rest when it is next looked at. */
export const refreshLeads = (queries: QueryClient, options: { throwOnError?: boolean } = {}) =>
  queries.invalidateQueries(leadReads, options);

/** As `refreshLeads`, for a screen that is about to be left: what it shows may no longer be there to be read. */
export const outdateLeads = (queries: QueryClient) => queries.invalidateQueries({ ...leadReads, refetchType: 'none' });

/** Puts what the server answered wherever this lead is shown. */
export function putLead(queries: QueryClient, lead: Partial<Lead> & { id: number }) {
  const patch = <T extends { userBusiness: Lead }>(shown: T): T =>
    shown.userBusiness.id === lead.id ? { ...shown, userBusiness: { ...shown.userBusiness, ...lead } } : shown;
  patchProfiles(queries, patch);
  queries.setQueriesData<LeadPage>(
    { queryKey: [listLeads.path] },
    (page) => page && { ...page, items: page.items.map(patch) },
  );
}

export function putBusiness(queries: QueryClient, business: LeadBusiness) {
  patchProfiles(queries, (profile) => (profile.business.id === business.id ? { ...profile, business } : profile));
}

function patchProfiles(queries: QueryClient, patch: (profile: LeadProfile) => LeadProfile) {
  queries.setQueriesData<LeadProfile>(
    { predicate: ({ queryKey }) => isProfile(queryKey[0]) },
    (profile) => profile && patch(profile),
  );
}
