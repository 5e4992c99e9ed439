import { useMutation, useQuery } from '@tanstack/react-query';
import { listLeadOrigins, listLeadTags } from '#contract/leads/lead-lists.calls.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { listContacts } from '#contract/reports/contacts.calls.ts';
import { getPipeline } from '#contract/reports/pipeline.calls.ts';
import { exportReport, type ReportTable } from '#contract/reports/report-file.calls.ts';
import { getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { read, request } from '#web/kit/api.ts';
import { saveCsv } from '#web/kit/files/save-csv.ts';
import { readFileName } from '#web/kit/files/save-file.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { type ContactsState, toContactsQuery } from './activity/contacts-state.ts';
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
    ...read(getGroups, { query: { ...query, by: state.by, sum: state.sum } }),
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

const inScope = ({ role }: Viewer) => (role === 'manager' ? { query: { team: true } } : {});

/** The tags of the leads that the viewer may count. */
export const useReportTags = (viewer: Viewer) =>
  useQuery({ ...read(listLeadTags, inScope(viewer)), staleTime: 60_000 });

/** The sources of these leads. */
export const useReportOrigins = (viewer: Viewer) =>
  useQuery({ ...read(listLeadOrigins, inScope(viewer)), staleTime: 60_000 });

export const useContacts = (state: ContactsState) =>
  useQuery({
    ...read(listContacts, { query: toContactsQuery(state) ?? {} }),
    enabled: toContactsQuery(state) !== undefined,
    staleTime: 0,
    ...refetchOnReturn,
  });

/** Saves a table of the report as a CSV file. */
export const useSaveTable = (table: ReportTable) =>
  useMutation({
    mutationFn: async (state: ReportState) => {
      const response = await request(exportReport, {
        query: {
          ...(toReportQuery(state) ?? toFilterQuery(state)),
          ...{ table, sum: state.sum },
          ...(table === 'pipeline' && state.asOf && { asOf: state.asOf }),
        },
      });
      const name = readFileName(response) ?? 'report.csv';
      await saveCsv(response, name);
      return name;
    },
    meta: {
      success: (name: string) => ({ title: 'Table exported', description: `The file is called ${name}.` }),
      errorTitle: 'Export failed',
      fallbackMessage: 'The connection was lost. Nothing was saved; please try again.',
    },
  });
