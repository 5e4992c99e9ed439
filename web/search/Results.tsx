import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SearchResponse } from '#contract/search/search.ts';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { ResponseNotes } from './AnswerNotes.tsx';
import { ResultList } from './ResultList.tsx';
import { panelFor } from './search-errors.ts';
import type { Search } from './search-form.ts';
import type { Sort } from './sort-results.ts';

/** How the results are looked at, whichever they are. */
export interface Look {
  view: 'cards' | 'table';
  sort: Sort | undefined;
  hideLeads: boolean;
}

interface Props {
  search: Search | undefined;
  found: UseQueryResult<SearchResponse>;
  onPage: (page: number) => void;
}

export function Results({ search, found, onPage }: Props) {
  const [look, setLook] = useState<Look>({ view: 'cards', sort: undefined, hideLeads: false });
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
        look={look}
        onLook={(change) => setLook({ ...look, ...change })}
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
  look: Look;
  onLook: (change: Partial<Look>) => void;
}

function State({ search, found, look, onLook, onPage }: StateProps) {
  if (found.data && found.data.businesses.length > 0) {
    return <ResultList search={search} response={found.data} look={look} onLook={onLook} onPage={onPage} />;
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
