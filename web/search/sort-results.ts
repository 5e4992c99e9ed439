import type { BusinessResult } from '#contract/search/search.ts';

export const SORT_COLUMNS = ['name', 'address', 'phone', 'rating'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export interface Sort {
  by: SortColumn;
  direction: 'ascending' | 'descending';
}

/** How the results are shown. */
export interface ResultsView {
  layout: 'cards' | 'table';
  sort: Sort | undefined;
  hideLeads: boolean;
}

export const COLUMN_LABEL: Record<SortColumn, string> = {
  name: 'Business Name',
  address: 'Address',
  phone: 'Phone Number',
  rating: 'Rating',
};

export const displayAddress = ({ formattedAddress, vicinity }: BusinessResult) => formattedAddress || vicinity;
export const displayPhone = ({ phone, internationalPhone }: BusinessResult) => phone || internationalPhone;

const VALUE: Record<SortColumn, (result: BusinessResult) => string | number | null> = {
  name: ({ name }) => name,
  address: displayAddress,
  phone: displayPhone,
  rating: ({ rating }) => rating,
};

const inOrder = new Intl.Collator('en-GB', { numeric: true });

/** Without a sort as they were found. What has no value comes last in both directions. */
export function sortResults(results: readonly BusinessResult[], sort: Sort | undefined): readonly BusinessResult[] {
  if (!sort) return results;
  const value = VALUE[sort.by];
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return results.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : inOrder.compare(String(a), String(b)));
  });
}

/** What a click on a column's header leads to: first A to Z, then the other way round. */
export const nextSort = (sort: Sort | undefined, by: SortColumn): Sort => ({
  by,
  direction: sort?.by === by && sort.direction === 'ascending' ? 'descending' : 'ascending',
});
