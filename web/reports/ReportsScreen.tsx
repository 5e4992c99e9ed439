import { useViewer } from '#web/auth/session.data.ts';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { Funnel } from './Funnel.tsx';
import { Groups } from './Groups.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { toReportFilter, toReportQuery, useReportState } from './report-state.ts';
import { useFunnel } from './reports.data.ts';

/** How far leads came: of the team or a person, in a period and the one before. */
export function ReportsScreen() {
  const viewer = useViewer();
  const [state, change] = useReportState(viewer);
  const funnel = useFunnel(state);
  return (
    <Page title="Reports">
      <ReportFilters state={state} viewer={viewer} onChange={change} />
      {funnel.isRefetchError && (
        <Notice tone="danger">The figures could not be refreshed: {funnel.error.message}</Notice>
      )}
      {!toReportQuery(state) ? (
        <EmptyState title="Choose the days">The first day cannot be after the last one.</EmptyState>
      ) : funnel.isLoadingError ? (
        <ErrorState title="The report could not be loaded" onRetry={() => void funnel.refetch()}>
          {funnel.error.message}
        </ErrorState>
      ) : funnel.data ? (
        <>
          <Funnel report={funnel.data} filter={toReportFilter(state)} viewer={viewer} />
          <Groups state={state} viewer={viewer} onChange={change} />
        </>
      ) : (
        <Loading label="Counting…" />
      )}
    </Page>
  );
}
