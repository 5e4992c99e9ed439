import { queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { exportBusinesses, searchBusinesses, usersToAssign } from '#contract/search/search.calls.ts';
import type { SearchResponse } from '#contract/search/search.ts';
import { ApiError, isAborted, read, request } from '#web/kit/api.ts';
import { saveFile } from '#web/kit/save-file.ts';
import { toast } from '#web/kit/toasts.ts';
import { toastFor, worthRetrying } from './search-errors.ts';
import type { Search, SearchForm } from './search-form.ts';

/** A search that was sent off, with the form it came from. */
export interface RequestContext {
  form: SearchForm;
  search: Search;
  page: number;
  nextPageToken: string | null;
}

const FRESH_MS = 30_000;
const PAUSE_MS = 1_000;

/** What the search of an earlier version did not say; a page may be newer than the server that answers it. */
const UNSAID = { provider: 'local', sample: false, attributions: [], notices: [] } as const;
const UNSAID_OF_EACH = {
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

const withEverything = (response: SearchResponse) => ({
  ...UNSAID,
  ...response,
  businesses: response.businesses.map((business) => ({ ...UNSAID_OF_EACH, ...business })),
});

const searchQuery = ({ search, page, nextPageToken }: Pick<RequestContext, 'search' | 'page' | 'nextPageToken'>) =>
  queryOptions({
    ...read(searchBusinesses, { body: { ...search, page, ...(nextPageToken && { nextPageToken }) } }),
    select: withEverything,
    staleTime: FRESH_MS,
    retry: (failures: number, error: Error) => failures < 1 && worthRetrying(error),
    retryDelay: PAUSE_MS,
  });

const NOTHING: Search = {
  businessType: '',
  location: '',
  searchMethod: 'textSearch',
  pageSize: 20,
  radius: 1,
  sortBy: 'relevance',
  maxResults: 1,
};

/** The search that was last asked for, kept for as long as the person is signed in, and what it found. */
export function useSearch() {
  const queries = useQueryClient();
  const queryKey = ['search screen'];
  const asked =
    useQuery<RequestContext | null>({
      queryKey,
      queryFn: skipToken,
      initialData: null,
      staleTime: Infinity,
      gcTime: Infinity,
    }).data ?? undefined;
  const found = useQuery({
    ...searchQuery(asked ?? { search: NOTHING, page: 1, nextPageToken: null }),
    enabled: asked !== undefined,
  });
  useErrorToast(found.error);

  return {
    asked,
    found,
    /** Whether an answer is being waited for. What is on the screen may be read again without anybody waiting. */
    searching: found.isLoading,
    ask: (next: RequestContext) => {
      const { queryKey: wanted } = searchQuery(next);
      const before = queries.getQueryCache().find({ queryKey: wanted, exact: true });
      // Another search is asked by being shown; the same once more, only when it failed or is no longer fresh.
      if (before?.isActive() && before.isStaleByTime(FRESH_MS))
        void queries.resetQueries({ queryKey: wanted, exact: true });
      queries.setQueryData<RequestContext | null>(queryKey, next);
    },
  };
}

function useErrorToast(error: Error | null) {
  useEffect(() => {
    if (!error || isAborted(error) || (error instanceof ApiError && error.status === 401)) return;
    toast({ title: 'Search failed', description: toastFor(error), tone: 'destructive' });
  }, [error]);
}

/** Whom businesses can be given to. Asked anew each time: somebody may have joined or left. */
export const useUsersToAssign = () => useQuery({ ...read(usersToAssign), staleTime: 0 });

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
