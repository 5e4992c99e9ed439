import type { ResponseBody } from '#contract/call.ts';
import type { getActivity } from '#contract/reports/activity.calls.ts';
import type { Span } from '#contract/reports/span.ts';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { CsvButton } from '#web/reports/CsvButton.tsx';
import { FirstOnPaper, PEOPLE_ON_PAPER } from '#web/reports/FirstOnPaper.tsx';
import { formatDays } from '#web/reports/format-days.ts';
import { ReportPart } from '#web/reports/ReportPart.tsx';
import type { ReportState } from '#web/reports/report-state.ts';
import { useActivity } from '#web/reports/reports.data.ts';
import { ActivityTable } from './ActivityTable.tsx';
import { addUpSpans } from './activity-rows.ts';
import { DayChart } from './DayChart.tsx';

/** The contacts that were logged in the period, by person and day, with those of the period before. */
export function Activity({ state }: { state: ReportState }) {
  const activity = useActivity(state);
  return (
    <ReportPart
      title="Activity"
      note="Contacts logged in the period, by who logged them. A number opens the list of these contacts."
      actions={<CsvButton table="activity" of="the activity by person" state={state} />}
      query={activity}
    >
      {(report) => (report.people.length ? <Ready report={report} state={state} /> : <NoContacts />)}
    </ReportPart>
  );
}

const NoContacts = () => <EmptyState title="No contacts in this period or the one before" />;

const WHY: Record<Span, string> = {
  day: 'Each person opens by day.',
  week: 'Each person opens by week, as the period is longer than a month.',
  month: 'Each person opens by month, as the period is longer than a quarter.',
};

interface Props {
  report: ResponseBody<typeof getActivity>;
  state: ReportState;
}

function Ready({ report, state }: Props) {
  const { days, before, by, people } = report;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-muted">
          Logged {formatDays(days)}; small: {formatDays(before)}. <span className="print:hidden">{WHY[by]}</span>
        </p>
        <CsvButton
          table="activity-by-day"
          of={`the activity by person and ${by}`}
          state={state}
          label={`CSV by ${by}`}
        />
      </div>
      <DayChart by={by} spans={addUpSpans(people, days)} />
      <ActivityTable report={report} state={state} />
      <FirstOnPaper rows={PEOPLE_ON_PAPER} of={people.length} />
    </>
  );
}
