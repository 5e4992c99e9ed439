import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { FUNNEL_STEP_LABEL, type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import { GROUP_LABEL, nameGroup, narrowToGroup, type ReportGroup, reportGroup } from '#contract/reports/group.ts';
import { type GroupFigures, type getGroups, MAX_GROUPS, toListParams } from '#contract/reports/reports.calls.ts';
import { SMALLEST_GROUP, toShare } from '#contract/reports/share.ts';
import type { Viewer } from '#contract/users/user.ts';
import { formatCount, formatDate } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Cell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { CountLink } from './CountLink.tsx';
import { CsvButton } from './CsvButton.tsx';
import { ReportPart } from './ReportPart.tsx';
import { type GroupColumn, type ReportState, toReportFilter } from './report-state.ts';
import { useGroups } from './reports.data.ts';
import { parseSort, sortGroups, toggleSort } from './sort-groups.ts';

interface Props {
  state: ReportState;
  viewer: Viewer;
  onChange: (change: Partial<ReportState>) => void;
}

/** The steps of the funnel by person, type, district, source, tag or week. */
export function Groups({ state, viewer, onChange }: Props) {
  const groups = useGroups(state);
  // There is one person only.
  const offered = reportGroup.options.filter((by) => by !== 'person' || state.person === undefined);
  return (
    <ReportPart
      title="Comparison"
      wide
      query={groups}
      controls={
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <SelectField
            className="max-w-56"
            label="Compare by"
            options={offered.map((value) => ({ value, label: GROUP_LABEL[value] }))}
            value={state.by}
            // The value is one of the options above.
            onChange={({ target }) => onChange({ by: target.value as ReportGroup })}
          />
          <CsvButton table={state.by} of={`the table by ${GROUP_LABEL[state.by].toLowerCase()}`} state={state} />
        </div>
      }
    >
      {(report) => <GroupTable report={report} state={state} viewer={viewer} onChange={onChange} />}
    </ReportPart>
  );
}

interface TableProps extends Props {
  report: ResponseBody<typeof getGroups>;
}

/** How many rows are shown before "Show all". */
const FIRST_GROUPS = 12;

function GroupTable({ report, state, viewer, onChange }: TableProps) {
  const { by, sort } = state;
  const [all, setAll] = useState(false);
  if (!report.groups.length) return <EmptyState title="No leads to compare" />;
  const toPath = (key: string, step: FunnelStep) => {
    const { filter, days } = narrowToGroup({ by, key }, toReportFilter(state), report.days);
    return `/crm?${new URLSearchParams(toListParams(viewer, filter, { days, step }))}`;
  };
  const heading = (column: GroupColumn, label: string) => (
    <ColumnHeading
      key={column}
      {...{ column, label, sort }}
      onSort={() => onChange({ sort: toggleSort(sort, column) })}
    />
  );
  return (
    <>
      <Table
        label={`By ${GROUP_LABEL[by].toLowerCase()}`}
        head={
          <>
            {heading('name', GROUP_LABEL[by])}
            {funnelStep.options.map((step) => heading(step, FUNNEL_STEP_LABEL[step]))}
          </>
        }
      >
        {sortGroups(report.groups, sort).map((group, nth) => (
          <GroupRow
            key={group.key}
            group={group}
            name={formatName(by, group)}
            toPath={toPath}
            className={nth < FIRST_GROUPS ? undefined : all ? 'print:hidden' : 'hidden'}
          />
        ))}
      </Table>
      {!all && report.groups.length > FIRST_GROUPS && (
        <Button variant="secondary" size="sm" className="self-start print:hidden" onClick={() => setAll(true)}>
          Show all {formatCount(report.groups.length)}
        </Button>
      )}
      {report.groups.length > FIRST_GROUPS && (
        <p className="hidden text-sm print:block">
          The first {FIRST_GROUPS} of {formatCount(report.total)}; all are on the screen and in the CSV file.
        </p>
      )}
      <p className="text-sm text-muted">
        Percent are of the leads assigned; under {SMALLEST_GROUP} leads are too few to compare.
        {by === 'tag' && ' A lead counts under each of its tags.'}
        {report.total > MAX_GROUPS && ` The ${MAX_GROUPS} with the most leads of ${formatCount(report.total)}.`}
      </p>
    </>
  );
}

interface HeadingProps {
  column: GroupColumn;
  label: string;
  sort: ReportState['sort'];
  onSort: () => void;
}

function ColumnHeading({ column, label, sort, onSort }: HeadingProps) {
  const sorted = parseSort(sort);
  const direction = sorted.column !== column ? undefined : sorted.descends ? 'descending' : 'ascending';
  const Icon = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ArrowUpDown;
  return (
    <th scope="col" aria-sort={direction} className={clsx('px-4 py-1', column !== 'name' && 'text-right')}>
      <button
        type="button"
        onClick={onSort}
        className="inline-flex min-h-11 items-center gap-1 whitespace-nowrap hover:text-ink sm:min-h-9 print:min-h-0 print:whitespace-normal"
      >
        {label}
        <Icon aria-hidden="true" className={clsx('size-3.5 shrink-0 print:hidden', !direction && 'opacity-60')} />
      </button>
    </th>
  );
}

interface RowProps {
  group: GroupFigures;
  name: string;
  toPath: (key: string, step: FunnelStep) => string;
  className: string | undefined;
}

function GroupRow({ group, name, toPath, className }: RowProps) {
  return (
    <Row className={className}>
      <th scope="row" className="min-w-36 px-4 py-2 print:min-w-0 text-left font-medium [overflow-wrap:anywhere]">
        {name}
        {group.assigned < SMALLEST_GROUP && (
          <span className="block text-xs font-normal text-muted print:hidden">too few to compare</span>
        )}
      </th>
      {funnelStep.options.map((step) => {
        const share = step === 'assigned' ? undefined : toShare(group[step], group.assigned);
        return (
          <Cell key={step} className="text-right whitespace-nowrap tabular-nums">
            <CountLink href={toPath(group.key, step)} count={group[step]} of={`${name}, ${FUNNEL_STEP_LABEL[step]}`} />
            {step !== 'assigned' && (
              <span className="ml-2 inline-block w-10 text-muted">{share !== undefined && `${share}%`}</span>
            )}
          </Cell>
        );
      })}
    </Row>
  );
}

// A day without a time is midnight in UTC.
const formatName = (by: ReportGroup, group: GroupFigures) =>
  by === 'week' ? `Week of ${formatDate(group.key, 'UTC')}` : nameGroup(by, group);
