import { clsx } from 'clsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import {
  type ContactCounts,
  countContacts,
  type getActivity,
  toReachedShare,
} from '#contract/reports/activity.calls.ts';
import type { Span } from '#contract/reports/span.ts';
import { formatCount } from '#web/kit/format.ts';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { CountLink } from '#web/reports/CountLink.tsx';
import { NAME_ON_PAPER, PEOPLE_ON_PAPER } from '#web/reports/FirstOnPaper.tsx';
import { formatSpan } from '#web/reports/format-days.ts';
import { lineClass, NowAndBefore } from '#web/reports/NowAndBefore.tsx';
import type { ReportState } from '#web/reports/report-state.ts';
import { type ActivityRow, ALL, toActivityRows } from './activity-rows.ts';
import { type ContactsState, toContactsPath, toDaysOf } from './contacts-state.ts';

const COLUMNS: [keyof ContactCounts, string][] = [
  ['calls', 'Calls'],
  ['emails', 'E-mails'],
  ['visits', 'Visits'],
  ['reached', 'Reached'],
];

/** What narrows the list of a figure. */
const FIGURE: Record<keyof ContactCounts, Partial<ContactsState>> = {
  calls: { contact: 'call' },
  emails: { contact: 'email' },
  visits: { contact: 'meeting' },
  reached: { reached: 'true' },
};

type Report = ResponseBody<typeof getActivity>;
type Link = (
  counts: ContactCounts,
  figure: keyof ContactCounts,
  of: string,
  narrowed: Partial<ContactsState>,
) => ReactNode;

/** A row for each person, which opens by day, week or month. The figures of a chart by day are those of all people. */
export function ActivityTable({ report, state }: { report: Report; state: ReportState }) {
  const { people, days, before, by } = report;
  const [opened, setOpened] = useState<readonly string[]>([]);
  const rows = toActivityRows(people, days);
  const toggle = (key: string) =>
    setOpened(opened.includes(key) ? opened.filter((each) => each !== key) : [...opened, key]);
  const link: Link = (counts, figure, of, narrowed) =>
    counts[figure] ? (
      <CountLink
        href={toContactsPath(state, { ...FIGURE[figure], ...narrowed })}
        count={counts[figure]}
        of={of}
        rows="contacts"
      />
    ) : (
      formatCount(counts[figure])
    );
  return (
    <Table
      label={`Activity by person and ${by}`}
      head={
        <>
          <HeadCell className="max-sm:px-3">Person</HeadCell>
          {[...COLUMNS.map(([, column]) => column), 'Percent'].map((column) => (
            <HeadCell key={column} className="text-right max-sm:px-1.5">
              {column}
            </HeadCell>
          ))}
        </>
      }
    >
      {rows.flatMap((row, nth) => [
        <PersonRow
          key={row.key}
          {...{ row, link, by, before }}
          // One person is always open.
          onToggle={rows.length > 1 ? () => toggle(row.key) : undefined}
          open={opened.includes(row.key)}
          className={row.key === ALL ? 'font-semibold' : nth < PEOPLE_ON_PAPER ? undefined : 'print:hidden'}
        />,
        ...(rows.length === 1 || opened.includes(row.key) ? toSpanRows(row, by, link) : []),
      ])}
    </Table>
  );
}

interface PersonProps extends Pick<Report, 'by' | 'before'> {
  row: ActivityRow;
  link: Link;
  open: boolean;
  onToggle: (() => void) | undefined;
  className: string | undefined;
}

function PersonRow({ row, link, by, before, open, onToggle, className }: PersonProps) {
  const { name, whose } = row;
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <Row className={className}>
      <th
        scope="row"
        className="min-w-20 px-4 text-left align-top font-medium max-sm:pr-0 max-sm:pl-3 sm:py-2 print:min-w-0"
      >
        {onToggle ? (
          <button
            type="button"
            aria-expanded={open}
            aria-label={`${name}, by ${by}`}
            onClick={onToggle}
            className={clsx(lineClass, 'hit-area gap-1 text-left [overflow-wrap:anywhere]')}
          >
            <Icon aria-hidden="true" className="-ml-1 size-4 shrink-0 text-muted print:hidden" />
            <span className={NAME_ON_PAPER}>{name}</span>
          </button>
        ) : (
          <div className={clsx(lineClass, '[overflow-wrap:anywhere]')}>
            <span className={NAME_ON_PAPER}>{name}</span>
          </div>
        )}
      </th>
      {COLUMNS.map(([figure, column]) => (
        <NowAndBefore
          key={figure}
          now={link(row, figure, `${name}, ${column}`, whose)}
          before={link(row.before, figure, `${name}, ${column} in the period before`, {
            ...whose,
            ...toDaysOf(before),
          })}
        />
      ))}
      <NowAndBefore now={formatRate(row)} before={formatRate(row.before)} />
    </Row>
  );
}

const toSpanRows = ({ key, name, whose, spans }: ActivityRow, by: Span, link: Link) =>
  spans.map((span) => (
    <Row key={`${key} ${span.from}`} className="text-muted print:hidden">
      <th scope="row" className="py-2 pr-2 pl-8 text-left font-normal max-sm:pl-5">
        {formatSpan(by, span)}
      </th>
      {COLUMNS.map(([figure, column]) => (
        <Cell key={figure} className="py-2 text-right tabular-nums max-sm:px-1.5">
          {link(span, figure, `${name}, ${formatSpan(by, span)}, ${column}`, { ...whose, ...toDaysOf(span) })}
        </Cell>
      ))}
      <Cell className="py-2 text-right tabular-nums max-sm:px-1.5">{formatRate(span, '')}</Cell>
    </Row>
  ));

/** The percentage that reached a person. */
function formatRate(counts: ContactCounts, few = 'too few'): string {
  if (!countContacts(counts)) return few && '–';
  const share = toReachedShare(counts);
  return share === undefined ? few : `${share}%`;
}
