import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { getTimeline, type TimelineFilter } from '#contract/leads/timeline/timeline.calls.ts';
import { refetch } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { chooseForm, sendLeadCall } from '#web/leads/leads.data.ts';

export const useTimeline = (leadRef: LeadRef, show: TimelineFilter) =>
  useInfiniteQuery({
    queryKey: [chooseForm(getTimeline, leadRef).path, leadRef, show],
    queryFn: ({ signal, pageParam: before }) =>
      sendLeadCall(getTimeline, leadRef, { query: { show, before } }, { signal }),
    meta: { call: chooseForm(getTimeline, leadRef) },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    ...refetchOnReturn,
  });

/** A change is patched into the cached lead, but only the server can add it to the timeline. */
export const refetchTimeline = (queries: QueryClient) => refetch(queries, getTimeline.byId, getTimeline.byUuid);
