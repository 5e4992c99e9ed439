import { MAX_RESULTS_INPUT, RADIUS_MILES, submittedMaxResults, submittedRadius } from '#contract/search/radius.ts';
import { type SearchMethod, type SearchRequest, type SortBy, searchRequest } from '#contract/search/search.ts';

/** The form's values; numbers are text as typed. */
export interface SearchForm {
  businessType: string;
  location: string;
  searchMethod: SearchMethod;
  openNow: boolean;
  /** Whether the advanced panel was ever opened; its radius applies only then. */
  advancedUsed: boolean;
  radiusMiles: string;
  maxResults: string;
  sortBy: SortBy;
  keyword: string;
}

export const EMPTY_FORM: SearchForm = {
  businessType: '',
  location: '',
  searchMethod: 'textSearch',
  openNow: false,
  advancedUsed: false,
  radiusMiles: String(RADIUS_MILES.default),
  maxResults: String(MAX_RESULTS_INPUT.default),
  sortBy: 'relevance',
  keyword: '',
};

export type FormErrors = Partial<Record<keyof SearchForm, string>>;

/** A search request without its page. */
export type Search = Omit<SearchRequest, 'page' | 'nextPageToken'>;

/** The search of the form, or its validation errors. */
export function parseForm(form: SearchForm): { search: Search } | { errors: FormErrors } {
  const errors: FormErrors = {};
  const radiusMiles = parseNumber(form.radiusMiles);
  const maxResults = parseNumber(form.maxResults);
  if (radiusMiles !== undefined && !within(radiusMiles, RADIUS_MILES))
    errors.radiusMiles = `Search radius must be between ${RADIUS_MILES.min} and ${RADIUS_MILES.max} miles`;
  if (maxResults !== undefined && !(within(maxResults, MAX_RESULTS_INPUT) && Number.isInteger(maxResults)))
    errors.maxResults = `Max results must be a whole number from ${MAX_RESULTS_INPUT.min} to ${MAX_RESULTS_INPUT.max}`;

  const parsed = searchRequest.safeParse({
    businessType: form.businessType,
    location: form.location,
    searchMethod: form.searchMethod,
    sortBy: form.sortBy,
    radius: submittedRadius(form.advancedUsed ? radiusMiles : undefined),
    maxResults: submittedMaxResults(maxResults),
    ...(form.openNow && { openNow: true }),
    ...(form.keyword.trim() && { keyword: form.keyword.trim() }),
  });
  // Numbers have messages of their own above, in the units of the form.
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = path[0];
    if (name === 'businessType' || name === 'location' || name === 'keyword') errors[name] ??= message;
  }
  if (Object.keys(errors).length > 0 || !parsed.success) return { errors };
  const { page: _page, nextPageToken: _token, ...search } = parsed.data;
  return { search };
}

/** The form with twice its max results, up to the limit; undefined where it is reached. */
export function raiseMaxResults(form: SearchForm): SearchForm | undefined {
  const current = submittedMaxResults(parseNumber(form.maxResults));
  const raised = Math.min(2 * current, MAX_RESULTS_INPUT.max);
  return raised > current ? { ...form, maxResults: String(raised) } : undefined;
}

/** Undefined for text that is not a number. */
function parseNumber(typed: string): number | undefined {
  const number = Number(typed);
  return typed.trim() === '' || Number.isNaN(number) ? undefined : number;
}

const within = (number: number, { min, max }: { min: number; max: number }) => number >= min && number <= max;
