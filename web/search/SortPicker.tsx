import { SelectField } from '#web/kit/ui/Select.tsx';
import { COLUMN_LABEL, SORT_COLUMNS, type Sort, type SortColumn } from './sort-results.ts';

const WAYS: Record<SortColumn, Record<Sort['direction'], string>> = {
  name: { ascending: 'A to Z', descending: 'Z to A' },
  address: { ascending: 'A to Z', descending: 'Z to A' },
  phone: { ascending: 'lowest first', descending: 'highest first' },
  rating: { ascending: 'lowest first', descending: 'highest first' },
};

const SORTS = SORT_COLUMNS.flatMap((by) =>
  (['ascending', 'descending'] as const).map((direction) => ({ by, direction })),
);
const nameOf = ({ by, direction }: Sort) => `${by} ${direction}`;

const OPTIONS = [
  { value: '', label: 'As found' },
  ...SORTS.map((sort) => ({
    value: nameOf(sort),
    label: `${COLUMN_LABEL[sort.by]}: ${WAYS[sort.by][sort.direction]}`,
  })),
];

interface Props {
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
}

/** The order of the page that is shown; which businesses are found at all is up to the search. */
export function SortPicker({ sort, onSort }: Props) {
  return (
    <SelectField
      className="min-w-0"
      label="Sort this page by"
      labelHidden
      options={OPTIONS}
      value={sort ? nameOf(sort) : ''}
      onChange={({ target }) => onSort(SORTS.find((each) => nameOf(each) === target.value))}
    />
  );
}
