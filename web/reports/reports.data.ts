import { useQuery } from '@tanstack/react-query';
import { listLeadTags } from '#contract/leads/lead-lists.calls.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { getPipeline } from '#contract/reports/pipeline.calls.ts';
import { getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { read } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { type ReportState, toFilterQuery, toReportQuery } from './report-state.ts';

/** Counted again on every visit; not while the chosen days are none. Figures of other filters are not shown meanwhile: their links would differ. */
export function useFunnel(state: ReportState) {
  const query = toReportQuery(state);
  return useQuery({
    ...read(getFunnel, { query: query ?? {} }),
    enabled: query !== undefined,
    staleTime: 0,
    ...refetchOnReturn,
  });
}

export function useGroups(state: ReportState) {
  const query = toReportQuery(state);
  return useQuery({
    ...read(getGroups, { query: { ...query, by: state.by } }),
    enabled: query !== undefined,
    staleTime: 0,
    ...refetchOnReturn,
  });
}

export const useActivity = (state: ReportState) =>
  useQuery({
    ...read(getActivity, { query: toReportQuery(state) ?? {} }),
    enabled: toReportQuery(state) !== undefined,
    staleTime: 0,
    ...refetchOnReturn,
  });

export const useCallTimes = (state: ReportState) =>
  useQuery({
    ...read(getCallTimes, { query: toReportQuery(state) ?? {} }),
    enabled: toReportQuery(state) !== undefined,
    staleTime: 0,
    ...refetchOnReturn,
  });

export const useSlipped = (state: ReportState) =>
  useQuery({ ...read(getSlipped, { query: toFilterQuery(state) }), staleTime: 0, ...refetchOnReturn });

export const usePipeline = (state: ReportState) =>
  useQuery({
    ...read(getPipeline, { query: { ...toFilterQuery(state), asOf: state.asOf } }),
    staleTime: 0,
    ...refetchOnReturn,
  });

/** The tags of the leads that the viewer may count. */
export const useReportTags = ({ role }: Viewer) =>
  useQuery({ ...read(listLeadTags, role === 'manager' ? { query: { team: true } } : {}), staleTime: 60_000 });
