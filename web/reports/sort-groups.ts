import type { GroupFigures } from '#contract/reports/reports.calls.ts';
import type { GroupColumn, GroupSort } from './report-state.ts';

/** The column of an order, and whether it descends. */
export function parseSort(sort: GroupSort): { column: GroupColumn; descends: boolean } {
  const descends = sort.endsWith('-desc');
  // True because the rest is the name of a column.
  return { column: (descends ? sort.slice(0, -'-desc'.length) : sort) as GroupColumn, descends };
}

/** The order after a click on a heading: figures begin with the largest, names with A. */
export function toggleSort(current: GroupSort, column: GroupColumn): GroupSort {
  const [first, second]: [GroupSort, GroupSort] =
    column === 'name' ? ['name', 'name-desc'] : [`${column}-desc`, column];
  return current === first ? second : first;
}

/** Equal ones stay in the server's order, the most leads first. The leads without a value are always the last row. */
export function sortGroups(groups: readonly GroupFigures[], sort: GroupSort): GroupFigures[] {
  const { column, descends } = parseSort(sort);
  const compare = (a: GroupFigures, b: GroupFigures) =>
    column === 'name'
      ? a.name.localeCompare(b.name, 'en-GB', { numeric: true })
      : // Without a field that is added up there are no sums: every group is in its place.
        (a[column] ?? 0) - (b[column] ?? 0);
  const isLast = ({ key }: GroupFigures) => Number(key === '');
  return [...groups].sort((a, b) => isLast(a) - isLast(b) || (descends ? compare(b, a) : compare(a, b)));
}
