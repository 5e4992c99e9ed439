import { z } from 'zod';
import { searchMethod, sortBy } from '#contract/search/search.ts';
import { DEFAULT_VIEW, type ResultsView, SORT_COLUMNS, type Sort } from './results-view.ts';
import { EMPTY_FORM, type SearchForm } from './search-form.ts';

/** The state of the search screen that its URL holds. */
export interface SearchState {
  /** The submitted form; undefined before the first search. */
  form: SearchForm | undefined;
  page: number;
  view: ResultsView;
}

export const NO_SEARCH: SearchState = { form: undefined, page: 1, view: DEFAULT_VIEW };

const text = z.string().max(200).catch('');
const flag = z.literal('true').transform(() => true);

// A URL cannot break the screen: each invalid value falls back to its default.
const searchParams = z.object({
  type: text,
  location: text,
  method: searchMethod.catch(EMPTY_FORM.searchMethod),
  openNow: flag.catch(false),
  radius: z.string().max(20).optional(),
  max: z.string().max(20).catch(EMPTY_FORM.maxResults),
  sortBy: sortBy.catch(EMPTY_FORM.sortBy),
  keyword: text,
  page: z.coerce.number().int().min(1).max(1_000).catch(1),
  view: z.enum(['cards', 'table']).catch(DEFAULT_VIEW.layout),
  order: z.string().transform(parseSort).optional(),
  hideLeads: flag.catch(DEFAULT_VIEW.hideLeads),
});
const KEYS = searchParams.keyof().options;

/** The state in a URL's query; undefined where it has none. */
export function parseSearch(search: string): SearchState | undefined {
  const params = new URLSearchParams(search);
  if (!KEYS.some((key) => params.has(key))) return undefined;
  const { type, location, method, radius, max, page, view, order, hideLeads, ...rest } = searchParams.parse(
    Object.fromEntries(params),
  );
  const form = {
    ...EMPTY_FORM,
    ...rest,
    businessType: type,
    location,
    searchMethod: method,
    advancedUsed: radius !== undefined,
    radiusMiles: radius ?? EMPTY_FORM.radiusMiles,
    maxResults: max,
  };
  return { form: type || location ? form : undefined, page, view: { layout: view, sort: order, hideLeads } };
}

/** A URL's query with this state. Default values are left out; parameters of others stay. */
export function formatSearch({ form, page, view }: SearchState, search: string): string {
  const params = new URLSearchParams(search);
  for (const key of KEYS) params.delete(key);
  const values: Record<(typeof KEYS)[number], string | false | undefined> = {
    type: form?.businessType,
    location: form?.location,
    method: form && form.searchMethod !== EMPTY_FORM.searchMethod && form.searchMethod,
    openNow: form?.openNow && 'true',
    // Emptied, it is not the same as never used.
    radius: form?.advancedUsed && form.radiusMiles,
    max: form && form.maxResults !== EMPTY_FORM.maxResults && form.maxResults,
    sortBy: form && form.sortBy !== EMPTY_FORM.sortBy && form.sortBy,
    keyword: form?.keyword || undefined,
    page: page > 1 && String(page),
    view: view.layout !== DEFAULT_VIEW.layout && view.layout,
    order: view.sort && formatSort(view.sort),
    hideLeads: view.hideLeads && 'true',
  };
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== false) params.set(key, value);
  }
  return params.toString();
}

/** "rating" or, descending, "-rating" */
const formatSort = ({ by, direction }: Sort) => (direction === 'descending' ? `-${by}` : by);

function parseSort(order: string): Sort | undefined {
  const by = SORT_COLUMNS.find((column) => column === order.replace(/^-/, ''));
  return by && { by, direction: order.startsWith('-') ? 'descending' : 'ascending' };
}
