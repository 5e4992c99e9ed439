import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SearchResponse } from '#contract/search/search.ts';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { ResponseNotes } from './ResponseNotes.tsx';
import { ResultList } from './ResultList.tsx';
import { panelFor } from './search-errors.ts';
import type { Search } from './search-form.ts';
import type { ResultsView } from './sort-results.ts';

interface Props {
  search: Search | undefined;
  found: UseQueryResult<SearchResponse>;
  onPage: (page: number) => void;
}

export function Results({ search, found, onPage }: Props) {
  const [view, setView] = useState<ResultsView>({ layout: 'cards', sort: undefined, hideLeads: false });
  const region = useRef<HTMLElement>(null);

  if (!search) {
    return (
      <EmptyState title="Who are you looking for?">Fill in the form above, and what is found appears here.</EmptyState>
    );
  }
  return (
    <section ref={region} tabIndex={-1} aria-label="Results" className="flex scroll-mt-20 flex-col gap-4 outline-none">
      <State
        search={search}
        found={found}
        view={view}
        onViewChange={(change) => setView({ ...view, ...change })}
        onPage={(page) => {
          // The button that was pressed goes away with its page; reading goes on where the next one begins.
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

function State({ search, found, view, onViewChange, onPage }: StateProps) {
  if (found.data && found.data.businesses.length > 0) {
    return <ResultList search={search} response={found.data} view={view} onViewChange={onViewChange} onPage={onPage} />;
  }
  if (found.data) {
    return (
      <>
        <EmptyState title="No Results Found">Try adjusting your search criteria or location</EmptyState>
        <ResponseNotes response={found.data} />
      </>
    );
  }
  if (found.isError) {
    const { title, message } = panelFor(found.error);
    return (
      <ErrorState title={title} onRetry={() => void found.refetch()}>
        {message}
      </ErrorState>
    );
  }
  return <Loading label="Searching for businesses..." />;
}
