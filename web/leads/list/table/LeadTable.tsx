// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the table's semantics when its rows are laid out as a grid
import { clsx } from 'clsx';
import { useId } from 'react';
import { Link } from 'wouter';
import type { LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { profilePath } from '#web/leads/lead-links.ts';
import { LeadActions } from '#web/leads/list/cards/LeadActions.tsx';
import type { LeadsProps } from '#web/leads/list/cards/LeadCards.tsx';
import { LeadBadges } from '#web/leads/list/LeadBadges.tsx';
import { useStatuses } from '#web/leads/list/list.data.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import { WhyFound } from '#web/leads/list/WhyFound.tsx';
import { GRID_COLUMN, STANDARD_COLUMNS } from './grid-columns.ts';
import { type ColumnSorts, SortButton, toAriaSort } from './SortButton.tsx';
import { StatusCell } from './StatusCell.tsx';

const COLUMNS: { label: string; sorts?: ColumnSorts | undefined }[] = [
  ...(['name', ...STANDARD_COLUMNS] as const).map((column) => GRID_COLUMN[column]),
  { label: 'Actions' },
];

interface Props extends LeadsProps {
  state: ListState;
  onChange: ChangeList;
  timeZone: string | undefined;
}

/** A table whose rows are laid out as cards on narrow screens. Screen readers get a table in both cases. */
export function LeadTable({ items, selection, highlighted, state, onChange, timeZone }: Props) {
  const viewer = useViewer();
  const statuses = useStatuses(state);
  return (
    <div className="md:overflow-hidden md:rounded-lg md:border md:border-line md:bg-surface">
      <table role="table" aria-label="Leads" className="w-full border-collapse text-left text-sm max-md:block">
        <thead
          role="rowgroup"
          className="border-b border-line bg-paper text-xs font-semibold text-muted max-md:mb-3 max-md:block max-md:border-0"
        >
          <tr role="row" className="max-md:block">
            <th
              role="columnheader"
              scope="col"
              className="w-10 py-3 pl-4 max-md:block max-md:w-auto max-md:p-0 max-md:pl-4"
            >
              <Checkbox
                label="Select all on this page"
                labelHidden
                checked={selection.state === 'all'}
                indeterminate={selection.state === 'some'}
                onChange={selection.toggleAll}
              />
              <span aria-hidden="true" className="ml-2 text-sm font-normal md:hidden">
                Select all on this page
              </span>
            </th>
            {COLUMNS.map(({ label, sorts }) => (
              <th
                key={label}
                role="columnheader"
                scope="col"
                aria-label={label}
                aria-sort={toAriaSort(sorts, state.sort)}
                // Narrow screens have no visible headings: the list is sorted with the field above it.
                className="px-4 py-1 whitespace-nowrap last:text-right max-md:sr-only max-md:[&>button]:invisible"
              >
                {sorts ? (
                  <SortButton label={label} sorts={sorts} sort={state.sort} onSort={(sort) => onChange({ sort })} />
                ) : (
                  label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="md:divide-y md:divide-line max-md:grid max-md:gap-3">
          {items.map((item) => (
            <LeadRow
              key={item.userBusiness.id}
              item={item}
              timeZone={timeZone}
              statuses={canChangeLead(viewer, item.userBusiness) ? statuses : []}
              selected={selection.ids.has(item.userBusiness.id)}
              onSelect={() => selection.toggle(item.userBusiness.id)}
              highlighted={item.userBusiness.uuid === highlighted}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cellClass = 'md:px-4 md:py-2 md:align-middle';
/** On narrow screens the column's name is shown before the value. */
const labelledCellClass =
  'max-md:col-start-2 max-md:text-sm max-md:before:mr-2 max-md:before:text-muted max-md:before:content-[attr(data-label)]';

interface RowProps {
  item: ListedLead;
  timeZone: string | undefined;
  /** What the viewer may set; none for leads of others. */
  statuses: LeadStatus[];
  selected: boolean;
  onSelect: () => void;
  highlighted: boolean;
}

function LeadRow({ item, timeZone, statuses, selected, onSelect, highlighted }: RowProps) {
  const nameId = useId();
  const { business, userBusiness: lead, user } = item;

  return (
    <tr
      role="row"
      data-highlighted={highlighted || undefined}
      className={clsx(
        'max-md:grid max-md:grid-cols-[auto_minmax(0,1fr)] max-md:gap-x-3 max-md:gap-y-2 max-md:rounded-lg max-md:border',
        'max-md:bg-surface max-md:p-4 max-md:shadow-card',
        lead.viewed ? 'max-md:border-line' : 'max-md:border-new md:shadow-[inset_3px_0_var(--color-new)]',
        highlighted ? 'bg-pine-soft' : selected ? 'bg-paper' : 'md:hover:bg-paper',
        highlighted && 'max-md:ring-3 max-md:ring-pine',
      )}
    >
      <td role="cell" className="md:w-10 md:py-2 md:pl-4">
        <Checkbox label={`Select ${business.name}`} labelHidden checked={selected} onChange={onSelect} />
      </td>
      <td role="cell" className={cellClass}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            id={nameId}
            href={profilePath(item)}
            className="hit-area inline-block font-semibold [overflow-wrap:anywhere] hover:underline max-md:text-base"
          >
            {business.name}
          </Link>
          <LeadBadges lead={lead} />
        </div>
        {business.formattedAddress && (
          <p className="text-xs text-muted [overflow-wrap:anywhere] max-md:mt-1">{business.formattedAddress}</p>
        )}
        <WhyFound match={item.match} />
      </td>
      <td role="cell" data-label="Assigned to" className={clsx(cellClass, labelledCellClass)}>
        {user.fullName || user.username}
      </td>
      <td role="cell" className={clsx(cellClass, 'whitespace-nowrap max-md:col-start-2')}>
        <div className="flex flex-wrap items-center gap-x-3">
          <StatusCell item={item} statuses={statuses} describedBy={nameId} />
          <NextStep lead={lead} />
        </div>
      </td>
      <td role="cell" data-label="Assigned on" className={clsx(cellClass, labelledCellClass, 'whitespace-nowrap')}>
        <TeamTime at={lead.assignedAt} timeZone={timeZone} format={formatDate} className="min-w-[12ch]" />
      </td>
      <td
        role="cell"
        className={clsx(cellClass, 'max-md:col-start-2 max-md:mt-2 md:[&>div]:flex-nowrap md:[&>div]:justify-end')}
      >
        <LeadActions item={item} describedBy={nameId} variant="secondary" />
      </td>
    </tr>
  );
}
