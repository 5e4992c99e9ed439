import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { LeadSort } from '#contract/leads/lead-filter.ts';

/** The orders of a column, first the one of the first click. */
export type ColumnSorts = readonly [LeadSort, LeadSort];

/** The `aria-sort` of a column; undefined where the list is in the order of another one. */
export function toAriaSort(sorts: ColumnSorts | undefined, sort: LeadSort) {
  if (!sorts?.includes(sort)) return undefined;
  return sort === 'newest' || sort.endsWith('-desc') ? 'descending' : 'ascending';
}

interface Props {
  label: string;
  sorts: ColumnSorts;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  className?: string;
}

/** The heading of a column that sorts the list. */
export function SortButton({ label, sorts, sort, onSort, className }: Props) {
  const direction = toAriaSort(sorts, sort);
  const Icon = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ArrowUpDown;
  return (
    <button
      type="button"
      onClick={() => onSort(sort === sorts[0] ? sorts[1] : sorts[0])}
      className={clsx('hit-area flex min-h-9 min-w-0 items-center gap-1 text-left hover:text-ink', className)}
    >
      <span className="truncate">{label}</span>
      <Icon aria-hidden="true" className={clsx('size-3.5 shrink-0', !direction && 'opacity-60')} />
    </button>
  );
}
