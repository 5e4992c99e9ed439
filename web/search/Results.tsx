import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SearchResponse } from '#contract/search/search.ts';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { ResponseNotes } from './ResponseNotes.tsx';
import { ResultList } from './ResultList.tsx';
import { DEFAULT_VIEW, type ResultsView } from './results-view.ts';
import { toErrorPanel } from './search-errors.ts';
import type { Search } from './search-form.ts';

interface Props {
  search: Search | undefined;
  query: UseQueryResult<SearchResponse>;
  onPage: (page: number) => void;
}

export function Results({ search, query, onPage }: Props) {
  const [view, setView] = useState(DEFAULT_VIEW);
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
        query={query}
        view={view}
        onViewChange={(change) => setView({ ...view, ...change })}
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
  view: ResultsView;
  onViewChange: (change: Partial<ResultsView>) => void;
}

function ResultsState({ search, query, view, onViewChange, onPage }: StateProps) {
  if (query.data && query.data.businesses.length > 0) {
    return <ResultList search={search} response={query.data} view={view} onViewChange={onViewChange} onPage={onPage} />;
  }
  if (query.data) {
    return (
      <>
        <EmptyState title="No Results Found">Try adjusting your search criteria or location</EmptyState>
        <ResponseNotes response={query.data} />
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
