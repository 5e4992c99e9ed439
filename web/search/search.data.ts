import { queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { exportBusinesses, listUsersToAssign, searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchResponse } from '#contract/search/search.ts';
import { ApiError, isAborted, read, request } from '#web/kit/api.ts';
import { saveFile } from '#web/kit/save-file.ts';
import { toast } from '#web/kit/toasts.ts';
import { isRetryable, toToastMessage } from './search-errors.ts';
import type { Search, SearchForm } from './search-form.ts';

/** A submitted search with the form it came from. */
interface SubmittedSearch {
  form: SearchForm;
  search: Search;
  page: number;
  nextPageToken: string | null;
}

const STALE_AFTER_MS = 30_000;
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

const searchQuery = ({ search, page, nextPageToken }: Pick<SubmittedSearch, 'search' | 'page' | 'nextPageToken'>) =>
  queryOptions({
    ...read(searchBusinesses, { body: { ...search, page, ...(nextPageToken && { nextPageToken }) } }),
    select: withDefaults,
    staleTime: STALE_AFTER_MS,
    retry: (failures: number, error: Error) => failures < 1 && isRetryable(error),
    retryDelay: RETRY_DELAY_MS,
    // It may cost money.
    refetchOnReconnect: false,
  });

const EMPTY_SEARCH: Search = {
  businessType: '',
  location: '',
  searchMethod: 'textSearch',
  pageSize: 20,
  radius: 1,
  sortBy: 'relevance',
  maxResults: 1,
};

/** The last submitted search and its results. It stays for the session: the user finds it on returning to the screen. */
export function useSearch() {
  const queries = useQueryClient();
  const queryKey = ['search screen'];
  const submitted =
    useQuery<SubmittedSearch | null>({
      queryKey,
      queryFn: skipToken,
      initialData: null,
      staleTime: Infinity,
      gcTime: Infinity,
    }).data ?? undefined;
  const query = useQuery({
    ...searchQuery(submitted ?? { search: EMPTY_SEARCH, page: 1, nextPageToken: null }),
    enabled: submitted !== undefined,
  });
  useErrorToast(query.error);

  return {
    submitted,
    query,
    /** False during a background refetch. */
    searching: query.isLoading,
    submit: (next: SubmittedSearch) => {
      const { queryKey: nextKey } = searchQuery(next);
      const current = queries.getQueryCache().find({ queryKey: nextKey, exact: true });
      // A new key is fetched by being observed; the same search is repeated only if it failed or is stale.
      if (current?.isActive() && current.isStaleByTime(STALE_AFTER_MS))
        void queries.resetQueries({ queryKey: nextKey, exact: true });
      queries.setQueryData<SubmittedSearch | null>(queryKey, next);
    },
  };
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
