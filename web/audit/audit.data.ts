import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { exportAuditEvents, listAuditEvents } from '#contract/audit/audit.calls.ts';
import { request, send } from '#web/kit/api.ts';
import { saveCsv } from '#web/kit/files/save-csv.ts';
import { formatCount } from '#web/kit/format.ts';
import { type AuditFilter, toAuditQuery } from './audit-filter.ts';

/** The pages loaded so far. Refetched when the screen or a filter is opened, but not while they are read: new events move the others. */
export function useAuditEvents(filter: AuditFilter) {
  const query = toAuditQuery(filter);
  return useInfiniteQuery({
    queryKey: [listAuditEvents.path, query],
    queryFn: ({ pageParam: before, signal }) => send(listAuditEvents, { query: { ...query, before } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
}

export const useExportAuditEvents = () =>
  useMutation({
    mutationFn: async (filter: AuditFilter) => {
      const response = await request(exportAuditEvents, { query: toAuditQuery(filter) });
      return saveCsv(response, 'audit.csv');
    },
    meta: {
      success: (count: number) => ({
        title: count === 1 ? '1 event exported' : `${formatCount(count)} events exported`,
        description: 'The file is called audit.csv.',
      }),
      errorTitle: 'Export failed',
      fallbackMessage: 'The connection was lost. Nothing was saved; please try again.',
    },
  });
