import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchResponse } from '#contract/search/search.ts';
import { refetch } from '#web/kit/api.ts';
import { useSelection } from '#web/kit/selection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { SelectionBar } from '#web/kit/ui/tables/SelectionBar.tsx';
import { useOnUndone } from '#web/leads/undo.data.ts';
import { AssignDialog } from '#web/search/assign/AssignDialog.tsx';
import { type RaiseMaxResults, ResponseNotes, SourceNote } from './ResponseNotes.tsx';
import { ResultCards } from './ResultCards.tsx';
import { ResultActions, ResultsToolbar } from './ResultsToolbar.tsx';
import { ResultTable } from './ResultTable.tsx';
import { type ResultsView, sortResults } from './results-view.ts';
import type { Search } from './search-form.ts';

interface Props {
  search: Search;
  response: SearchResponse;
  view: ResultsView;
  onViewChange: (change: Partial<ResultsView>) => void;
  onPage: (page: number) => void;
  raise: RaiseMaxResults | undefined;
}

export function ResultList({ search, response, view, onViewChange, onPage, raise }: Props) {
  const { businesses, totalCount, page, totalPages } = response;
  const results = sortResults(
    view.hideLeads ? businesses.filter(({ alreadyLead }) => !alreadyLead) : businesses,
    view.sort,
  );
  const placeIds = results.map(({ placeId }) => placeId);
  // Another list starts with nothing selected; another order of the same list changes nothing.
  const selection = useSelection([...placeIds].sort().join('\n'), placeIds);
  const selected = results.filter(({ placeId }) => selection.ids.has(placeId));
  // A copy: businesses that were just assigned may be hidden while the dialog is open.
  const [assigning, setAssigning] = useState<typeof selected>();
  const queries = useQueryClient();
  // A result that was taken or assigned is not assigned any more.
  useOnUndone(() => void refetch(queries, searchBusinesses));
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = () => heading.current?.focus();
  const clear = () => {
    selection.clear();
    focusHeading();
  };
  const actions = <ResultActions search={search} selected={selected} onAssign={() => setAssigning(selected)} />;
  const Layout = view.layout === 'cards' ? ResultCards : ResultTable;

  return (
    <>
      <ResponseNotes response={response} raise={raise} />
      <ResultsToolbar
        heading={heading}
        total={totalCount}
        view={view}
        onViewChange={onViewChange}
        selection={selection}
        actions={selected.length === 0 && actions}
      />
      {selected.length > 0 && (
        <SelectionBar count={selected.length} onClear={clear}>
          {actions}
        </SelectionBar>
      )}
      {results.length > 0 ? (
        <Layout results={results} selection={selection} sort={view.sort} onSort={(sort) => onViewChange({ sort })} />
      ) : (
        <EmptyState
          title="All of these are leads already"
          actions={
            <Button variant="secondary" onClick={() => onViewChange({ hideLeads: false })}>
              Show them
            </Button>
          }
        >
          Every business on this page is somebody's lead, and leads are hidden.
        </EmptyState>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-sm text-muted">
          Showing {results.length} of {totalCount} results
        </p>
        <Pagination label="Results" page={page} pages={totalPages} onPage={onPage} />
      </div>
      <SourceNote response={response} />
      {assigning && (
        <AssignDialog
          businesses={assigning}
          onDone={() => {
            setAssigning(undefined);
            selection.clear();
          }}
          onClose={() => setAssigning(undefined)}
          onTriggerRemoved={focusHeading}
        />
      )}
    </>
  );
}
