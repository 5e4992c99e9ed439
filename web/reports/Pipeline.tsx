import type { ResponseBody } from '#contract/call.ts';
import { formatAmount } from '#contract/leads/fields/amount.ts';
import { LEAD_STATUS_LABEL, type LeadStatus } from '#contract/leads/lead.ts';
import {
  CHANGE_LOG_YEARS,
  type getPipeline,
  OPEN_STATUSES,
  toPastPipelineParams,
  toPipelineParams,
} from '#contract/reports/pipeline.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useSettings, useTimeZone } from '#web/auth/settings.data.ts';
import { browserTimeZone, formatCount, formatDate } from '#web/kit/format.ts';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { DayField } from '#web/kit/ui/forms/DayField.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { CountLink } from './CountLink.tsx';
import { CsvButton } from './CsvButton.tsx';
import { ReportPart } from './ReportPart.tsx';
import { type ReportState, toReportFilter } from './report-state.ts';
import { usePipeline } from './reports.data.ts';

interface Props {
  state: ReportState;
  viewer: Viewer;
  onChange: (change: Partial<ReportState>, options?: ChangeOptions) => void;
}

/** The open leads by status: now, or at the end of a past day. */
export function Pipeline({ state, viewer, onChange }: Props) {
  const pipeline = usePipeline(state);
  const { asOf } = state;
  return (
    <ReportPart
      title="Pipeline"
      note={
        asOf
          ? // A day without a time is midnight in UTC.
            `At the end of ${formatDate(asOf, 'UTC')}, from the change log. A number opens its leads as they are now. ${viewer.role === 'user' ? 'Leads that were deleted since, or given to another user, are missing.' : 'Leads deleted since are missing.'}`
          : `Open leads now, whatever the period. Choose a day to see those of the past ${12 * CHANGE_LOG_YEARS} months, for which the change log is kept.`
      }
      controls={
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <DayField label="Pipeline as of" value={asOf} onChange={(day, options) => onChange({ asOf: day }, options)} />
          <CsvButton table="pipeline" of="the pipeline" state={state} />
        </div>
      }
      query={pipeline}
    >
      {(rows) => <PipelineTable rows={rows} state={state} viewer={viewer} />}
    </ReportPart>
  );
}

type PipelineRow = ResponseBody<typeof getPipeline>[number];
const ALL_OPEN = 'All open';
const HEADINGS = ['Leads', 'Value', 'Oldest first contact', 'Average days in status'];

interface TableProps extends Pick<Props, 'state' | 'viewer'> {
  rows: PipelineRow[];
}

function PipelineTable({ rows, state, viewer }: TableProps) {
  const { data: settings } = useSettings();
  const timeZone = useTimeZone() ?? browserTimeZone();
  const filter = toReportFilter(state);
  const toParams = (status: LeadStatus | 'open') =>
    state.asOf
      ? toPastPipelineParams(viewer, filter, { day: state.asOf, status })
      : toPipelineParams(viewer, filter, ...(status === 'open' ? OPEN_STATUSES : [status]));
  const link = (leads: number, of: string, status: LeadStatus | 'open') =>
    leads ? (
      <CountLink href={`/crm?${new URLSearchParams(toParams(status))}`} count={leads} of={of} />
    ) : (
      formatCount(leads)
    );
  const formatValue = ({ value, valued }: Pick<PipelineRow, 'value' | 'valued'>) =>
    !valued ? '–' : settings ? formatAmount(String(value), settings.currency) : formatCount(value);
  const total = {
    leads: rows.reduce((sum, { leads }) => sum + leads, 0),
    value: rows.reduce((sum, { value }) => sum + value, 0),
    valued: rows.reduce((sum, { valued }) => sum + valued, 0),
  };
  return (
    <Table
      label="Pipeline"
      head={
        <>
          <HeadCell>Status</HeadCell>
          {HEADINGS.map((heading) => (
            <HeadCell key={heading} className="text-right max-sm:whitespace-normal">
              {heading}
            </HeadCell>
          ))}
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.status}>
          <th scope="row" className="px-4 py-2 text-left font-medium">
            {LEAD_STATUS_LABEL[row.status]}
          </th>
          <Figure>{link(row.leads, LEAD_STATUS_LABEL[row.status], row.status)}</Figure>
          <Figure>{formatValue(row)}</Figure>
          <Figure>{row.oldestContact ? formatDate(row.oldestContact, timeZone) : '–'}</Figure>
          <Figure>{row.averageDays === null ? '–' : formatCount(row.averageDays)}</Figure>
        </Row>
      ))}
      <Row className="font-semibold">
        <th scope="row" className="px-4 py-2 text-left">
          {ALL_OPEN}
        </th>
        <Figure>{link(total.leads, ALL_OPEN, 'open')}</Figure>
        <Figure>{formatValue(total)}</Figure>
        <Figure>–</Figure>
        <Figure>–</Figure>
      </Row>
    </Table>
  );
}

const Figure = ({ children }: { children: string | React.ReactElement }) => (
  <Cell className="text-right whitespace-nowrap tabular-nums">{children}</Cell>
);
