import type { ResponseBody } from '#contract/call.ts';
import type { getActivity } from '#contract/reports/activity.calls.ts';
import { formatCount, formatDate } from '#web/kit/format.ts';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { ChartOrTable } from './ChartOrTable.tsx';
import { CsvButton } from './CsvButton.tsx';
import { DayChart } from './DayChart.tsx';
import { ReportPart } from './ReportPart.tsx';
import type { ReportState } from './report-state.ts';
import { useActivity } from './reports.data.ts';

type Report = ResponseBody<typeof getActivity>;
type Contacts = Omit<Report['byDay'][number], 'day'>;

const COLUMNS: [keyof Contacts, string][] = [
  ['calls', 'Calls'],
  ['emails', 'E-mails'],
  ['visits', 'Visits'],
  ['reached', 'Reached'],
];

/** The contacts that were logged in the period, by person and by day. */
export function Activity({ state }: { state: ReportState }) {
  const activity = useActivity(state);
  return (
    <ReportPart
      title="Activity"
      note="Contacts logged in the period, by who logged them. They are contacts, not leads, so that they open no list."
      controls={
        <div className="flex justify-end">
          <CsvButton table="activity" of="the activity by person" state={state} />
        </div>
      }
      query={activity}
    >
      {({ people, byDay }) =>
        people.length ? (
          <>
            <ContactsTable
              label="Activity by person"
              heading="Person"
              rows={people.map(({ id, name, ...contacts }) => ({ key: String(id), name, ...contacts }))}
            />
            <ChartOrTable
              of="activity by day"
              chart={<DayChart days={byDay} />}
              table={(hidden) => (
                <ContactsTable
                  hidden={hidden}
                  label="Activity by day"
                  heading="Day"
                  // A day without a time is midnight in UTC.
                  rows={byDay.map(({ day, ...contacts }) => ({ key: day, name: formatDate(day, 'UTC'), ...contacts }))}
                />
              )}
            />
          </>
        ) : (
          <EmptyState title="No contacts in this period" />
        )
      }
    </ReportPart>
  );
}

interface TableProps {
  label: string;
  hidden?: boolean;
  heading: string;
  rows: (Contacts & { key: string; name: string })[];
}

function ContactsTable({ label, hidden = false, heading, rows }: TableProps) {
  return (
    <Table
      label={label}
      hidden={hidden}
      head={
        <>
          <HeadCell>{heading}</HeadCell>
          {COLUMNS.map(([key, column]) => (
            <HeadCell key={key} className="text-right">
              {column}
            </HeadCell>
          ))}
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.key}>
          <th scope="row" className="min-w-32 px-4 py-2 text-left font-medium [overflow-wrap:anywhere]">
            {row.name}
          </th>
          {COLUMNS.map(([key]) => (
            <Cell key={key} className="py-2 text-right tabular-nums">
              {formatCount(row[key])}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
