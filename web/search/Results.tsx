import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SearchResponse } from '#contract/search/search.ts';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { type RaiseMaxResults, ResponseNotes } from './ResponseNotes.tsx';
import { ResultList } from './ResultList.tsx';
import type { ResultsView } from './results-view.ts';
import { toErrorPanel } from './search-errors.ts';
import type { Search } from './search-form.ts';

interface Props {
  search: Search | undefined;
  query: UseQueryResult<SearchResponse>;
  view: ResultsView;
  onViewChange: (change: Partial<ResultsView>) => void;
  onPage: (page: number) => void;
  raise: RaiseMaxResults | undefined;
}

export function Results({ search, onPage, ...rest }: Props) {
  const region = useRef<HTMLElement>(null);

  if (!search) {
    return (
      <EmptyState title="Who are you looking for?">Fill in the form above, and what is found appears here.</EmptyState>
    );
  }
  return (
    <section ref={region} tabIndex={-1} aria-label="Results" className="flex scroll-mt-20 flex-col gap-4 outline-none">
      <ResultsState
        search={search}
        {...rest}
        onPage={(page) => {
          // The pressed button disappears with its page; the focus moves to the start of the next one.
          region.current?.focus({ preventScroll: true });
          region.current?.scrollIntoView?.();
          onPage(page);
        }}
      />
    </section>
  );
}

interface StateProps extends Props {
  search: Search;
}

function ResultsState({ query, raise, ...list }: StateProps) {
  if (query.data && query.data.businesses.length > 0) {
    return <ResultList response={query.data} raise={raise} {...list} />;
  }
  if (query.data) {
    return (
      <>
        <EmptyState title="No Results Found">Try adjusting your search criteria or location</EmptyState>
        <ResponseNotes response={query.data} raise={raise} />
      </>
    );
  }
  if (query.isError) {
    const { title, message } = toErrorPanel(query.error);
    return (
      <ErrorState title={title} onRetry={() => void query.refetch()}>
        {message}
      </ErrorState>
    );
  }
  return <Loading label="Searching for businesses..." />;
}
