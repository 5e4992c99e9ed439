import type { BusinessResult } from '#contract/search/search.ts';

export const SORT_COLUMNS = ['name', 'address', 'phone', 'rating'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export interface Sort {
  by: SortColumn;
  direction: 'ascending' | 'descending';
}

/** How results are displayed; it stays when the results change. */
export interface ResultsView {
  layout: 'cards' | 'table';
  /** Undefined: in the order of the response. */
  sort: Sort | undefined;
  hideLeads: boolean;
}

export const DEFAULT_VIEW: ResultsView = { layout: 'cards', sort: undefined, hideLeads: false };

export const COLUMN_LABEL: Record<SortColumn, string> = {
  name: 'Business Name',
  address: 'Address',
  phone: 'Phone Number',
  rating: 'Rating',
};

export const formatAddress = ({ formattedAddress, vicinity }: BusinessResult) => formattedAddress || vicinity;
export const formatPhone = ({ phone, internationalPhone }: BusinessResult) => phone || internationalPhone;

const SORT_VALUE: Record<SortColumn, (result: BusinessResult) => string | number | null> = {
  name: ({ name }) => name,
  address: formatAddress,
  phone: formatPhone,
  rating: ({ rating }) => rating,
};

const collator = new Intl.Collator('en-GB', { numeric: true });

/** Results without a value come last in both directions. */
export function sortResults(results: readonly BusinessResult[], sort: Sort | undefined): readonly BusinessResult[] {
  if (!sort) return results;
  const value = SORT_VALUE[sort.by];
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return [...results].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)));
  });
}

/** The sort after a click on a column's header: ascending first, then descending. */
export const nextSort = (sort: Sort | undefined, by: SortColumn): Sort => ({
  by,
  direction: sort?.by === by && sort.direction === 'ascending' ? 'descending' : 'ascending',
});
