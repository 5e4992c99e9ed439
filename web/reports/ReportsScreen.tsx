import { Printer } from 'lucide-react';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { Activity } from './activity/Activity.tsx';
import { CallTimes } from './activity/CallTimes.tsx';
import { Funnel } from './Funnel.tsx';
import { Groups } from './Groups.tsx';
import { Pipeline } from './Pipeline.tsx';
import { PrintedLine } from './PrintedLine.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportPart } from './ReportPart.tsx';
import { ReportViews } from './ReportViews.tsx';
import { showsReportView, toReportFilter, toReportQuery, toReportSettings, useReportState } from './report-state.ts';
import { useFunnel } from './reports.data.ts';
import { Slipped } from './Slipped.tsx';

/** How far leads came: of the team or a person, in a period and the one before; and how the leads are now. */
export function ReportsScreen() {
  const viewer = useViewer();
  const [state, change] = useReportState(viewer);
  const funnel = useFunnel(state);
  return (
    <Page
      title="Reports"
      actions={
        <>
          <ReportViews
            viewer={viewer}
            saved={state.saved}
            settings={toReportSettings(state)}
            shows={(view) => showsReportView(state, view, viewer)}
            onSaved={(saved) => change({ saved })}
          />
          {funnel.data && <PrintButton />}
        </>
      }
    >
      <PrintedLine state={state} viewer={viewer} />
      <ReportFilters state={state} viewer={viewer} onChange={change} />
      <div className="contents print:grid print:grid-cols-2 print:items-start print:gap-x-6 print:gap-y-3">
        {toReportQuery(state) ? (
          <>
            <ReportPart title="How far the leads came" wide query={funnel}>
              {(report) => <Funnel report={report} filter={toReportFilter(state)} viewer={viewer} state={state} />}
            </ReportPart>
            <Groups state={state} viewer={viewer} onChange={change} />
            <Activity state={state} />
            <CallTimes state={state} />
          </>
        ) : (
          <EmptyState title="Choose the days">The first day cannot be after the last one.</EmptyState>
        )}
        <Slipped state={state} viewer={viewer} />
        <Pipeline state={state} viewer={viewer} onChange={change} />
      </div>
    </Page>
  );
}

function PrintButton() {
  return (
    <Button variant="secondary" onClick={() => window.print()}>
      <Printer aria-hidden="true" />
      Print
    </Button>
  );
}
