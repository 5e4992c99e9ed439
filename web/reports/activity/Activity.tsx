import type { ResponseBody } from '#contract/call.ts';
import type { getActivity } from '#contract/reports/activity.calls.ts';
import { formatCount, formatDate } from '#web/kit/format.ts';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { ChartOrTable } from '#web/reports/ChartOrTable.tsx';
import { CountLink } from '#web/reports/CountLink.tsx';
import { CsvButton } from '#web/reports/CsvButton.tsx';
import { FirstOnPaper, NAME_ON_PAPER, PEOPLE_ON_PAPER } from '#web/reports/FirstOnPaper.tsx';
import { ReportPart } from '#web/reports/ReportPart.tsx';
import type { ReportState } from '#web/reports/report-state.ts';
import { useActivity } from '#web/reports/reports.data.ts';
import { type ContactsState, toContactsPath } from './contacts-state.ts';
import { DayChart } from './DayChart.tsx';

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
      note="Contacts logged in the period, by who logged them. A number opens the list of these contacts."
      actions={<CsvButton table="activity" of="the activity by person" state={state} />}
      query={activity}
    >
      {({ people, byDay }) =>
        people.length ? (
          <>
            <ContactsTable
              label="Activity by person"
              heading="Person"
              rows={toPersonRows(people)}
              toPath={(key, figure) => toContactsPath(state, { ...toPerson(key), ...FIGURE[figure] })}
            />
            <FirstOnPaper rows={PEOPLE_ON_PAPER} of={people.length} />
            <ChartOrTable
              of="activity by day"
              actions={<CsvButton table="activity-by-day" of="the activity by day" state={state} />}
              chart={<DayChart days={byDay} />}
              table={(hidden) => (
                <ContactsTable
                  hidden={hidden}
                  label="Activity by day"
                  heading="Day"
                  // A day without a time is midnight in UTC.
                  rows={byDay.map(({ day, ...contacts }) => ({ key: day, name: formatDate(day, 'UTC'), ...contacts }))}
                  toPath={(day, figure) => toContactsPath(state, { day, ...FIGURE[figure] })}
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

/** What narrows the list of a figure. */
const FIGURE: Record<keyof Contacts, Partial<ContactsState>> = {
  calls: { contact: 'call' },
  emails: { contact: 'email' },
  visits: { contact: 'meeting' },
  reached: { reached: 'true' },
};

/** The key of the row of all contacts. */
const ALL = 'all';

function toPersonRows(people: Report['people']): ContactRow[] {
  const rows = people.map(({ id, name, ...contacts }) => ({ key: String(id), name, ...contacts }));
  const sum = (column: keyof Contacts) => people.reduce((total, person) => total + person[column], 0);
  const all = { calls: sum('calls'), emails: sum('emails'), visits: sum('visits'), reached: sum('reached') };
  return rows.length > 1 ? [...rows, { key: ALL, name: 'All', ...all }] : rows;
}

/** Of a person's id as text; deleted accounts have none. */
function toPerson(id: string): Partial<ContactsState> {
  if (id === ALL) return {};
  return id === 'null' ? { deleted: 'true' } : { who: Number(id) };
}

interface ContactRow extends Contacts {
  key: string;
  name: string;
}

interface TableProps {
  label: string;
  hidden?: boolean;
  heading: string;
  rows: ContactRow[];
  toPath: (key: string, figure: keyof Contacts) => string;
}

function ContactsTable({ label, hidden = false, heading, rows, toPath }: TableProps) {
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
      {rows.map((row, nth) => (
        <Row
          key={row.key}
          className={row.key === ALL ? 'font-semibold' : nth < PEOPLE_ON_PAPER ? undefined : 'print:hidden'}
        >
          <th scope="row" className="min-w-32 px-4 py-2 text-left font-medium print:min-w-0 [overflow-wrap:anywhere]">
            <span className={NAME_ON_PAPER}>{row.name}</span>
          </th>
          {COLUMNS.map(([key, column]) => (
            <Cell key={key} className="py-2 text-right tabular-nums">
              {row[key] && !hidden ? (
                <CountLink href={toPath(row.key, key)} count={row[key]} of={`${row.name}, ${column}`} rows="contacts" />
              ) : (
                formatCount(row[key])
              )}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
