import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { COLUMN_LABEL, SORT_COLUMNS, type Sort, type SortColumn } from './results-view.ts';

const DIRECTION_LABEL: Record<SortColumn, Record<Sort['direction'], string>> = {
  name: { ascending: 'A to Z', descending: 'Z to A' },
  address: { ascending: 'A to Z', descending: 'Z to A' },
  phone: { ascending: 'lowest first', descending: 'highest first' },
  rating: { ascending: 'lowest first', descending: 'highest first' },
};

const SORTS = SORT_COLUMNS.flatMap((by) =>
  (['ascending', 'descending'] as const).map((direction) => ({ by, direction })),
);
const toValue = ({ by, direction }: Sort) => `${by} ${direction}`;

const OPTIONS = [
  { value: '', label: 'As found' },
  ...SORTS.map((sort) => ({
    value: toValue(sort),
    label: `${COLUMN_LABEL[sort.by]}: ${DIRECTION_LABEL[sort.by][sort.direction]}`,
  })),
];

interface Props {
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
}

/** Sorts the current page only; the search decides which businesses are on it. */
export function SortPicker({ sort, onSort }: Props) {
  return (
    <SelectField
      className="min-w-0"
      label="Sort this page by"
      labelHidden
      options={OPTIONS}
      value={sort ? toValue(sort) : ''}
      onChange={({ target }) => onSort(SORTS.find((each) => toValue(each) === target.value))}
    />
  );
}
