import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { FUNNEL_STEP_LABEL, type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import { formatValue, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import {
  addsUp,
  GROUP_LABEL,
  type GroupBy,
  makesGroups,
  nameGroup,
  narrowToGroup,
  narrowToOwnGroup,
  parseOwnGroup,
  type ReportGroup,
  reportGroup,
  toOwnGroup,
} from '#contract/reports/group.ts';
import { type GroupFigures, type getGroups, MAX_GROUPS, toListParams } from '#contract/reports/reports.calls.ts';
import { SMALLEST_GROUP, toShare } from '#contract/reports/share.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { formatCount, formatDate } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Cell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { CountLink } from './CountLink.tsx';
import { CsvButton } from './CsvButton.tsx';
import { FirstOnPaper, GROUPS_ON_PAPER } from './FirstOnPaper.tsx';
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
  const builtIn = reportGroup.options.filter((by) => by !== 'person' || state.person === undefined);
  const fields = useOwnFields();
  const { by, sum } = state;
  // An archived field is only offered where it is chosen.
  const own = fields.filter((field) => makesGroups(field) && (!field.archived || by === toOwnGroup(field)));
  const added = fields.filter((field) => addsUp(field) && (!field.archived || sum === field.id));
  const label = labelGroup(by, fields);
  const options: { value: GroupBy; label: string }[] = [
    ...builtIn.map((value) => ({ value, label: GROUP_LABEL[value] })),
    ...own.map((field) => ({ value: toOwnGroup(field), label: field.name })),
  ];
  if (!options.some(({ value }) => value === by)) options.push({ value: by, label });
  return (
    <ReportPart
      title="Comparison"
      wide
      query={groups}
      controls={
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <div className="flex flex-wrap gap-x-4 gap-y-2">
            <SelectField
              className="max-w-56"
              label="Compare by"
              options={options}
              value={by}
              // The value is one of the options above.
              onChange={({ target }) => onChange({ by: target.value as GroupBy })}
            />
            {(added.length > 0 || sum !== undefined) && (
              <SelectField
                className="max-w-56"
                label="Add up"
                options={[
                  { value: '', label: 'Nothing' },
                  ...added.map(({ id, name }) => ({ value: String(id), label: name })),
                  ...(sum && !added.some(({ id }) => id === sum) ? [{ value: String(sum), label: GONE }] : []),
                ]}
                value={String(sum ?? '')}
                onChange={({ target }) => onChange({ sum: target.value ? Number(target.value) : undefined })}
              />
            )}
          </div>
          <CsvButton table={by} of={`the table by ${label.toLowerCase()}`} state={state} />
        </div>
      }
    >
      {(report) => <GroupTable report={report} state={state} viewer={viewer} fields={fields} onChange={onChange} />}
    </ReportPart>
  );
}

const GONE = 'A field that is gone';

const labelGroup = (by: GroupBy, fields: OwnField[]): string =>
  parseOwnGroup(by) ? (fields.find((field) => toOwnGroup(field) === by)?.name ?? GONE) : GROUP_LABEL[by as ReportGroup]; // the others

interface TableProps extends Props {
  report: ResponseBody<typeof getGroups>;
  fields: OwnField[];
}

function GroupTable({ report, state, viewer, fields, onChange }: TableProps) {
  const { by, sum, sort } = state;
  const { data: team } = useSettings();
  const [all, setAll] = useState(false);
  if (!report.groups.length) return <EmptyState title="No leads to compare" />;
  const label = labelGroup(by, fields);
  const field = fields.find((each) => toOwnGroup(each) === by);
  const added = fields.find(({ id }) => id === sum);
  const narrow = (key: string) => {
    const filter = toReportFilter(state);
    if (field) return { filter: narrowToOwnGroup({ field, key }, filter), days: report.days };
    return narrowToGroup({ by: by as ReportGroup, key }, filter, report.days); // the others
  };
  const toPath = (key: string, step: FunnelStep) => {
    const { filter, days } = narrow(key);
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
            sum={added && team ? formatValue(added, group.sum ?? 0, team) : undefined}
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
        Percent are of the leads assigned; under {SMALLEST_GROUP} leads are too few to compare.
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

interface RowProps {
  group: GroupFigures;
  name: string;
  toPath: (key: string, step: FunnelStep) => string;
  /** What the leads assigned add up to. */
  sum: string | undefined;
  className: string | undefined;
}

function GroupRow({ group, name, toPath, sum, className }: RowProps) {
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
      {sum !== undefined && <Cell className="text-right whitespace-nowrap tabular-nums">{sum}</Cell>}
    </Row>
  );
}

// A day without a time is midnight in UTC.
const formatName = (by: GroupBy, group: GroupFigures) =>
  by === 'week' ? `Week of ${formatDate(group.key, 'UTC')}` : nameGroup(by, group);
