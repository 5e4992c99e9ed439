import { MAX_RESULTS_INPUT, RADIUS_MILES, submittedMaxResults, submittedRadius } from '#contract/search/radius.ts';
import { type SearchMethod, type SearchRequest, type SortBy, searchRequest } from '#contract/search/search.ts';

/** What stands in the form, numbers as they were typed. */
export interface SearchForm {
  businessType: string;
  location: string;
  searchMethod: SearchMethod;
  openNow: boolean;
  /** Whether the advanced panel was ever opened: until then nobody has seen its radius. */
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

/** A search without the page that is being looked at. */
export type Search = Omit<SearchRequest, 'page' | 'nextPageToken'>;

/** The search that the form asks for, or what is wrong with it. */
export function readForm(form: SearchForm): { search: Search } | { errors: FormErrors } {
  const errors: FormErrors = {};
  const radiusMiles = numberIn(form.radiusMiles);
  const maxResults = numberIn(form.maxResults);
  if (radiusMiles !== undefined && !within(radiusMiles, RADIUS_MILES))
    errors.radiusMiles = `Search radius must be between ${RADIUS_MILES.min} and ${RADIUS_MILES.max} miles`;
  if (maxResults !== undefined && !(within(maxResults, MAX_RESULTS_INPUT) && Number.isInteger(maxResults)))
    errors.maxResults = `Max results must be a whole number from ${MAX_RESULTS_INPUT.min} to ${MAX_RESULTS_INPUT.max}`;

  const read = searchRequest.safeParse({
    businessType: form.businessType,
    location: form.location,
    searchMethod: form.searchMethod,
    sortBy: form.sortBy,
    radius: submittedRadius(form.advancedUsed ? radiusMiles : undefined),
    maxResults: submittedMaxResults(maxResults),
    ...(form.openNow && { openNow: true }),
    ...(form.keyword.trim() && { keyword: form.keyword.trim() }),
  });
  // A number out of range is told in the words of its own field, so the contract's are only wanted for the others.
  for (const { path, message } of read.error?.issues ?? []) {
    const name = path[0];
    if (name === 'businessType' || name === 'location' || name === 'keyword') errors[name] ??= message;
  }
  if (Object.keys(errors).length > 0 || !read.success) return { errors };
  const { page: _page, nextPageToken: _token, ...search } = read.data;
  return { search };
}

/** What is no number counts as nothing typed. */
function numberIn(typed: string): number | undefined {
  const number = Number(typed);
  return typed.trim() === '' || Number.isNaN(number) ? undefined : number;
}

const within = (number: number, { min, max }: { min: number; max: number }) => number >= min && number <= max;
