import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { exportBusinesses, listUsersToAssign, searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchResponse } from '#contract/search/search.ts';
import { ApiError, isAborted, read, request, send } from '#web/kit/api.ts';
import { saveFile } from '#web/kit/files/save-file.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';
import { toast } from '#web/kit/toasts.ts';
import type { ResultsView } from './results-view.ts';
import { isRetryable, toToastMessage } from './search-errors.ts';
import { parseForm, type Search, type SearchForm } from './search-form.ts';
import {
  NO_PARAMS,
  NO_SEARCH,
  type SearchParams,
  type SearchState,
  searchParams,
  toParams,
  toState,
} from './search-url.ts';

const STALE_AFTER_MS = 30_000;
const STORED_FOR_MS = 30 * 60_000;
const RETRY_DELAY_MS = 1_000;

/** Fields that an earlier version of the server omits; during an upgrade a page may be newer than the server. */
const RESPONSE_DEFAULTS = { provider: 'local', sample: false, attributions: [], notices: [] } as const;
const BUSINESS_DEFAULTS = {
  businessStatus: null,
  openNow: null,
  priceLevel: null,
  rating: null,
  userRatingsTotal: null,
  formattedAddress: null,
  vicinity: null,
  phone: null,
  phoneIsWrong: false,
  objections: [],
  internationalPhone: null,
  ownerName: null,
  website: null,
  googleMapsUrl: null,
  types: [],
  latitude: null,
  longitude: null,
  icon: null,
  photoReferences: [],
  distanceMetres: null,
  alreadyLead: false,
  existingCustomer: false,
  leads: [],
};

const withDefaults = (response: SearchResponse) => ({
  ...RESPONSE_DEFAULTS,
  ...response,
  businesses: response.businesses.map((business) => ({ ...BUSINESS_DEFAULTS, ...business })),
});

/** A page of a search. The response before it has the token that it is requested with. */
const searchQuery = (queries: QueryClient, search: Search, page: number) => {
  const keyOf = (page: number) => read(searchBusinesses, { body: { ...search, page } }).queryKey;
  return queryOptions({
    queryKey: keyOf(page),
    queryFn: ({ signal }) => {
      const nextPageToken = page > 1 && queries.getQueryData(keyOf(page - 1))?.nextPageToken;
      return send(searchBusinesses, { body: { ...search, page, ...(nextPageToken && { nextPageToken }) } }, { signal });
    },
    select: withDefaults,
    // Going back to a search of a paid provider shows its stored response: only the user repeats it.
    staleTime: ({ state: { data } }) => (data?.provider?.startsWith('google') ? Infinity : STALE_AFTER_MS),
    gcTime: STORED_FOR_MS,
    // It may cost money.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: (failures: number, error: Error) => failures < 1 && isRetryable(error),
    retryDelay: RETRY_DELAY_MS,
  });
};

const EMPTY_SEARCH: Search = {
  businessType: '',
  location: '',
  searchMethod: 'textSearch',
  pageSize: 20,
  radius: 1,
  sortBy: 'relevance',
  maxResults: 1,
};

const LAST_SEARCH = ['search screen'];
type LastSearch = Pick<SearchState, 'form' | 'page'>;

/**
 * The state of the search screen with its results: from the URL, else the last search of this session. A search in a URL
 * is sent when its response is not stored.
 */
export function useSearch() {
  const queries = useQueryClient();
  const [params, changeParams] = useUrlState<SearchParams>(searchParams, NO_PARAMS, {
    initial: () => toParams({ ...NO_SEARCH, ...queries.getQueryData<LastSearch>(LAST_SEARCH) }),
  });
  const state = useMemo(() => toState(params), [params]);
  const change = (update: (current: SearchState) => SearchState) =>
    changeParams((current) => toParams(update(toState(current))));
  const { form, page } = state;
  useEffect(() => {
    queries.setQueryDefaults(LAST_SEARCH, { gcTime: Infinity });
    queries.setQueryData<LastSearch>(LAST_SEARCH, { form, page });
  }, [queries, form, page]);

  const search = parseSubmitted(form);
  const query = useQuery({
    ...searchQuery(queries, search ?? EMPTY_SEARCH, page),
    enabled: search !== undefined,
  });
  useErrorToast(query.error);

  return {
    state,
    search,
    query,
    /** False during a background refetch. */
    searching: query.isLoading,
    submit: (form: SearchForm, page = 1) => {
      const next = parseSubmitted(form);
      if (!next) return;
      const { queryKey } = searchQuery(queries, next, page);
      const current = queries.getQueryCache().find({ queryKey, exact: true });
      // A new key is fetched by being observed; the same search is repeated only if it failed or is stale.
      if (current?.isActive() && current.isStaleByTime(STALE_AFTER_MS))
        void queries.resetQueries({ queryKey, exact: true });
      change((before) => ({ ...before, form, page }));
    },
    changeView: (view: Partial<ResultsView>) => change((before) => ({ ...before, view: { ...before.view, ...view } })),
  };
}

/** The search of a submitted form; undefined for an invalid one, which only a URL can have. */
function parseSubmitted(form: SearchForm | undefined): Search | undefined {
  const parsed = form && parseForm(form);
  return parsed && 'search' in parsed ? parsed.search : undefined;
}

function useErrorToast(error: Error | null) {
  useEffect(() => {
    if (!error || isAborted(error) || (error instanceof ApiError && error.status === 401)) return;
    toast({ title: 'Search failed', description: toToastMessage(error), tone: 'destructive' });
  }, [error]);
}

/** The users a business can be assigned to, fetched whenever the dialog opens. */
export const useUsersToAssign = () => useQuery({ ...read(listUsersToAssign), staleTime: 0 });

export function useExport() {
  return useMutation({
    mutationFn: async ({ placeIds, search }: { placeIds: string[]; search: Search }) => {
      const body = { ...search, format: 'csv' as const, placeIds };
      const file = await request(exportBusinesses, { body });
      saveFile('business-data.csv', await file.blob());
    },
    meta: {
      success: 'Data exported as CSV successfully!',
      errorToast: (error) => ({ title: `Export failed: ${error.message}`, description: '' }),
    },
  });
}
