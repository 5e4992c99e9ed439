import { z } from 'zod';
import { searchMethod, sortBy } from '#contract/search/search.ts';
import { DEFAULT_VIEW, type ResultsView, SORT_COLUMNS, type Sort } from './results-view.ts';
import { EMPTY_FORM, type SearchForm } from './search-form.ts';

/** The state of the search screen, from the parameters of its URL. */
export interface SearchState {
  /** The submitted form; undefined before the first search. */
  form: SearchForm | undefined;
  page: number;
  view: ResultsView;
}

export const NO_SEARCH: SearchState = { form: undefined, page: 1, view: DEFAULT_VIEW };

const text = z.string().max(200).catch('');
const flag = z.literal('true').transform(() => true);

/** The parameters of the URL; an invalid one falls back to its default. */
export interface SearchParams {
  type: string;
  location: string;
  method: SearchForm['searchMethod'];
  openNow: boolean;
  /** Undefined where the advanced panel was never used; emptied, it is not the same. */
  radius: string | undefined;
  max: string;
  sortBy: SearchForm['sortBy'];
  keyword: string;
  page: number;
  view: ResultsView['layout'];
  order: string | undefined;
  hideLeads: boolean;
}

export const searchParams = z.object({
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
  order: z
    .string()
    .refine((order) => parseSort(order) !== undefined)
    .optional()
    .catch(undefined),
  hideLeads: flag.catch(DEFAULT_VIEW.hideLeads),
});

export function toState(params: SearchParams): SearchState {
  const { type, location, method, radius, max, page, view, order, hideLeads, ...rest } = params;
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
  const sort = order === undefined ? undefined : parseSort(order);
  return { form: type || location ? form : undefined, page, view: { layout: view, sort, hideLeads } };
}

/** In the order of the URL. */
export const toParams = ({ form = EMPTY_FORM, page, view }: SearchState): SearchParams => ({
  type: form.businessType,
  location: form.location,
  method: form.searchMethod,
  openNow: form.openNow,
  radius: form.advancedUsed ? form.radiusMiles : undefined,
  max: form.maxResults,
  sortBy: form.sortBy,
  keyword: form.keyword,
  page,
  view: view.layout,
  order: view.sort && formatSort(view.sort),
  hideLeads: view.hideLeads,
});

export const NO_PARAMS = toParams(NO_SEARCH);

/** "rating" or, descending, "-rating" */
const formatSort = ({ by, direction }: Sort) => (direction === 'descending' ? `-${by}` : by);

function parseSort(order: string): Sort | undefined {
  const by = SORT_COLUMNS.find((column) => column === order.replace(/^-/, ''));
  return by && { by, direction: order.startsWith('-') ? 'descending' : 'ascending' };
}
