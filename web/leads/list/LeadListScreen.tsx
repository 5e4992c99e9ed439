import { RefreshCw, Upload } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { useSelection } from '#web/kit/selection.ts';
import { toast, toasts } from '#web/kit/toasts.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { ExportButton } from './ExportButton.tsx';
import { LeadFilters } from './LeadFilters.tsx';
import { LeadViews } from './LeadViews.tsx';
import { ListHeader } from './ListHeader.tsx';
import { ListLoading, NoLeads } from './ListStates.tsx';
import { ListToolbar } from './ListToolbar.tsx';
import { useLastViewedLead } from './last-viewed-lead.ts';
import { LIST_REFRESHED, useLeadPage, useRefreshList } from './list.data.ts';
import { countFilters, resetFilters, toSearch } from './list-state.ts';
import { useListState } from './use-list-state.ts';

const WIDE_SCREEN = '(min-width: 64rem)';

export function LeadListScreen() {
  const viewer = useViewer();
  const admin = viewer.role === 'admin';
  const [state, change] = useListState(viewer);
  const leads = useLeadPage(state, viewer);
  const refresh = useRefreshList();
  const selection = useSelection(
    toSearch({ ...state, view: 'list' }),
    leads.data?.items.map(({ userBusiness }) => userBusiness.id) ?? [],
  );
  const [resets, setResets] = useState(0);
  const [filtersShown, setFiltersShown] = useState(() => window.matchMedia?.(WIDE_SCREEN).matches ?? true);
  const filtersId = useId();
  const list = useRef<HTMLDivElement>(null);
  const highlighted = useLastViewedLead(viewer.id, list, leads.isFetchedAfterMount);
  useLoadedToast(leads.isFetchedAfterMount && leads.isSuccess);

  const reset = () => {
    change(resetFilters(state));
    setResets((count) => count + 1);
  };
  const filtered = countFilters(state) > 0;

  return (
    <Page
      title="CRM Dashboard"
      actions={
        <>
          {admin && (
            <ButtonLink variant="secondary" className="max-sm:px-3 max-sm:text-sm" href="/import">
              <Upload aria-hidden="true" className="max-sm:hidden" />
              Import Businesses
            </ButtonLink>
          )}
          <ExportButton state={state} />
          <Button
            variant="secondary"
            className="max-sm:px-3 max-sm:text-sm"
            busy={refresh.isPending}
            onClick={() => refresh.mutate()}
          >
            {!refresh.isPending && <RefreshCw aria-hidden="true" className="max-sm:hidden" />}
            Refresh List
          </Button>
        </>
      }
    >
      <div ref={list} className="flex flex-col gap-4">
        <ListToolbar
          state={state}
          onChange={change}
          filtersId={filtersId}
          filtersShown={filtersShown}
          filterCount={countFilters({ ...state, q: '' })}
          onFiltersShown={setFiltersShown}
          resets={resets}
        />
        {filtersShown && <LeadFilters id={filtersId} state={state} viewer={viewer} onChange={change} onReset={reset} />}
        <ListHeader page={leads.data} selection={selection} />
        {leads.isPending && <ListLoading />}
        {leads.isError && (
          <ErrorState title="Leads could not be loaded" onRetry={() => void leads.refetch()}>
            {leads.error.message}
          </ErrorState>
        )}
        {leads.data && (
          <LeadViews
            state={state}
            onChange={change}
            page={leads.data}
            stale={leads.isPlaceholderData}
            selection={selection}
            highlighted={highlighted}
            emptyState={<NoLeads admin={admin} filtered={filtered} onReset={reset} />}
          />
        )}
      </div>
    </Page>
  );
}

/** Once per visit, although `loaded` changes with every filter. The toast of the action before the visit stays. */
function useLoadedToast(loaded: boolean) {
  const shown = useRef(false);
  useEffect(() => {
    if (!loaded || shown.current) return;
    shown.current = true;
    if (!toasts.current()) toast(LIST_REFRESHED);
  }, [loaded]);
}
