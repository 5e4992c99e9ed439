import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { FUNNEL_STEP_LABEL, funnelStep } from '#contract/leads/funnel-step.ts';
import { formatValue, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import {
  GROUP_LABEL,
  type GroupBy,
  nameGroup,
  narrowToGroup,
  narrowToOwnGroup,
  parseOwnGroup,
  type ReportGroup,
  toComparedKey,
  toOwnGroup,
} from '#contract/reports/group.ts';
import type { Days } from '#contract/reports/period.ts';
import { type GroupFigures, type getGroups, MAX_GROUPS, toListParams } from '#contract/reports/reports.calls.ts';
import { SMALLEST_GROUP } from '#contract/reports/share.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { formatCount, formatDate } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Table } from '#web/kit/ui/tables/Table.tsx';
import { FirstOnPaper, GROUPS_ON_PAPER } from './FirstOnPaper.tsx';
import { formatDays } from './format-days.ts';
import { GroupRow, type ToPath } from './GroupRow.tsx';
import { type GroupColumn, type ReportState, toReportFilter } from './report-state.ts';
import { parseSort, sortGroups, toggleSort } from './sort-groups.ts';

export const GONE_FIELD_LABEL = 'A field that is gone';

export const labelGroup = (by: GroupBy, fields: OwnField[]): string =>
  parseOwnGroup(by)
    ? (fields.find((field) => toOwnGroup(field) === by)?.name ?? GONE_FIELD_LABEL)
    : GROUP_LABEL[by as ReportGroup]; // the others

interface Props {
  state: ReportState;
  viewer: Viewer;
  onChange: (change: Partial<ReportState>) => void;
  report: ResponseBody<typeof getGroups>;
  fields: OwnField[];
}

/** A row for each group, sorted by any column. */
export function GroupTable({ report, state, viewer, fields, onChange }: Props) {
  const { by, sum, sort } = state;
  const { data: team } = useSettings();
  const [all, setAll] = useState(false);
  if (!report.groups.length) return <EmptyState title="No leads to compare" />;
  const label = labelGroup(by, fields);
  const field = fields.find((each) => toOwnGroup(each) === by);
  const added = fields.find(({ id }) => id === sum);
  const narrow = (key: string, days: Days) => {
    const filter = toReportFilter(state);
    if (field) return { filter: narrowToOwnGroup({ field, key }, filter), days };
    return narrowToGroup({ by: by as ReportGroup, key }, filter, days); // the others
  };
  const toPath: ToPath = (key, step, period) => {
    const { filter, days } =
      period === 'now' ? narrow(key, report.days) : narrow(toComparedKey(by, key), report.before);
    return `/crm?${new URLSearchParams(toListParams(viewer, filter, { days, step }))}`;
  };
  const formatSum = ({ sum: value = 0 }: GroupFigures['before']) =>
    added && team ? formatValue(added, value, team) : undefined;
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
        label={`By ${label.toLowerCase()}`}
        head={
          <>
            {heading('name', label)}
            {funnelStep.options.map((step) => heading(step, FUNNEL_STEP_LABEL[step]))}
            {added && heading('sum', added.name)}
          </>
        }
      >
        {sortGroups(report.groups, sort).map((group, nth) => (
          <GroupRow
            key={group.key}
            group={group}
            name={formatName(by, group)}
            toPath={toPath}
            compared={by === 'week' ? 'in the week before' : 'in the period before'}
            formatSum={formatSum}
            className={nth < GROUPS_ON_PAPER ? undefined : all ? 'print:hidden' : 'hidden'}
          />
        ))}
      </Table>
      {!all && report.groups.length > GROUPS_ON_PAPER && (
        <Button variant="secondary" size="sm" className="self-start print:hidden" onClick={() => setAll(true)}>
          Show all {formatCount(report.groups.length)}
        </Button>
      )}
      <FirstOnPaper rows={GROUPS_ON_PAPER} of={Math.max(report.total, report.groups.length)} />
      <p className="text-sm text-muted">
        Small: {by === 'week' ? 'the same days of the week before' : formatDays(report.before)}. Percent are of the
        leads assigned; under {SMALLEST_GROUP} leads are too few to compare.
        {by === 'tag' && ' A lead counts under each of its tags.'}
        {field?.type === 'choices' && ' A lead counts under each of its choices.'}
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

// A day without a time is midnight in UTC.
const formatName = (by: GroupBy, group: GroupFigures) =>
  by === 'week' ? `Week of ${formatDate(group.key, 'UTC')}` : nameGroup(by, group);
