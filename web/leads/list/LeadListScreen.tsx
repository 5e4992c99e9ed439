import { Copy, Download, RefreshCw, Upload } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { formatCount } from '#web/kit/format.ts';
import { useDraftKeptToast } from '#web/kit/storage/draft-kept.ts';
import { getUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';
import { matchesMedia } from '#web/kit/style/media-query.ts';
import { toast, toasts } from '#web/kit/toasts.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { ErrorState, LoadError } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { TabPanel, TabsRoot } from '#web/kit/ui/Tabs.tsx';
import { AddBusinessButton } from '#web/leads/AddBusinessButton.tsx';
import { BulkProgress } from '#web/leads/list/bulk/BulkProgress.tsx';
import { FollowUpOffer, type Offer } from '#web/leads/list/bulk/FollowUpOffer.tsx';
import { LeadSelection } from '#web/leads/list/bulk/LeadSelection.tsx';
import { LIST_DRAFTS } from '#web/leads/list/bulk/ReassignLeadsDialog.tsx';
import { useLeadSelection } from '#web/leads/list/bulk/use-lead-selection.ts';
import { FilterChips } from '#web/leads/list/filters/FilterChips.tsx';
import { LeadFilters } from '#web/leads/list/filters/LeadFilters.tsx';
import { useListHeading } from '#web/leads/list/filters/use-list-heading.ts';
import { isUnchanged } from '#web/leads/list/views/list-view.ts';
import { PinnedViews } from '#web/leads/list/views/PinnedViews.tsx';
import { useSavedView } from '#web/leads/list/views/use-saved-view.ts';
import { ViewsMenu } from '#web/leads/list/views/ViewsMenu.tsx';
import { useLogSheet } from '#web/leads/log/use-log-sheet.tsx';
import { useOnUndone } from '#web/leads/undo.data.ts';
import { useListKeys } from '#web/leads/use-list-keys.ts';
import { StartWork } from '#web/leads/work-queue/StartWork.tsx';
import { MAX_QUEUED } from '#web/leads/work-queue/work-queue.ts';
import { useViews } from '#web/views/views.data.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { LeadViews, preloadLayout } from './LeadViews.tsx';
import { ListLoading, NoLeads } from './ListStates.tsx';
import { ListToolbar } from './ListToolbar.tsx';
import { useLastViewedLead } from './last-viewed-lead.ts';
import { LIST_REFRESHED, loadLeads, useLeadPage, useRefreshList } from './list.data.ts';
import {
  countFilters,
  hasFilterOutsidePanel,
  type ListState,
  resetFilters,
  toSearch,
  type View,
} from './list-state.ts';
import { TeamNotice } from './TeamNotice.tsx';
import { useListState } from './use-list-state.ts';
import { useListed } from './use-listed.ts';
import { SearchedText, SimilarNotice } from './WhyFound.tsx';

export function LeadListScreen() {
  const viewer = useViewer();
  const admin = viewer.role === 'admin';
  const [state, setState, isFirstVisit] = useListState(viewer);
  const viewsQuery = useViews(viewer);
  const views = viewsQuery.data;
  const [savedView, change] = useSavedView({ views, state, change: setState, isFirstVisit });
  const modified = savedView !== undefined && !isUnchanged(state, savedView, viewer);
  const heading = useListHeading(state, viewer);
  const { listed, isKnown } = useListed(state);
  const leads = useLeadPage(listed, viewer, { enabled: isKnown });
  const selection = useLeadSelection(listed, viewer.id, leads.data);
  const hasColumns = state.columns !== '';
  useEffect(() => preloadLayout(state.view, hasColumns), [state.view, hasColumns]);
  const [resets, setResets] = useState(0);
  const [filtersShown, setFiltersShown] = useFiltersShown(viewer.id);
  const filtersId = useId();
  const [offer, setOffer] = useState<Offer>();
  useOnUndone(() => setOffer(undefined));
  const list = useRef<HTMLDivElement>(null);
  const count = useRef<HTMLParagraphElement>(null);
  const focusCount = () => count.current?.focus();
  const highlighted = useLastViewedLead(viewer.id, list, leads.isFetchedAfterMount);
  // The cards of the board are not those of the page.
  const selectable = state.view === 'board' ? [] : leads.data?.items;
  const logging = useLogSheet(selectable ?? []);
  const ids = selectable?.map(({ userBusiness }) => userBusiness.id) ?? [];
  useListKeys({ list, ids, selection, onLog: logging.log });
  useUnlockedDrafts(viewer.id);
  useDraftKeptToast(viewer.id, LIST_DRAFTS, 'Your notes are kept in this tab until the leads are reassigned.');
  useLoadedToast(leads.isFetchedAfterMount && leads.isSuccess, leads.data !== undefined);

  const reset = () => {
    change(resetFilters(state));
    setResets((previous) => previous + 1);
  };
  const filters = countFilters(state) > 0 ? state : undefined;

  return (
    <Page
      title="CRM Dashboard"
      aside={
        <p ref={count} tabIndex={-1} aria-live="polite" className="text-sm text-muted max-md:basis-full max-md:text-xs">
          {leads.data && formatResultCount(leads.data)}
        </p>
      }
      actions={<ListActions viewer={viewer} state={listed} total={leads.data?.total ?? 0} />}
    >
      <div ref={list} className="flex flex-1 flex-col">
        <TabsRoot
          value={state.view}
          onValueChange={(view) => change({ view: view as View })}
          className="flex flex-1 flex-col gap-2 md:gap-3"
        >
          {views && views.pinned.length > 0 && (
            <PinnedViews pinned={views.pinned} current={savedView} modified={modified} />
          )}
          <ListToolbar
            state={listed}
            onChange={change}
            filtersId={filtersId}
            filtersShown={filtersShown}
            filterCount={countFilters({ ...state, q: '' })}
            onFiltersShown={setFiltersShown}
            resets={resets}
            viewsMenu={
              views ? (
                <ViewsMenu
                  viewer={viewer}
                  views={views}
                  current={savedView}
                  modified={modified}
                  state={state}
                  suggestedName={heading}
                  onChange={change}
                />
              ) : (
                viewsQuery.isError && (
                  <LoadError onRetry={() => void viewsQuery.refetch()}>The views could not be loaded.</LoadError>
                )
              )
            }
          />
          {filtersShown && (
            <LeadFilters id={filtersId} state={state} viewer={viewer} onChange={change} onReset={reset} />
          )}
          {(!filtersShown || hasFilterOutsidePanel(state)) && filters && (
            <FilterChips state={state} viewer={viewer} onChange={change} onReset={filtersShown ? undefined : reset} />
          )}
          {heading && <h2 className="font-semibold">{heading}</h2>}
          {state.team && <TeamNotice onLeave={() => change({ team: false, user: 'all' })} />}
          {leads.data?.similar && <SimilarNotice q={state.q} />}
          <BulkProgress viewer={viewer} />
          <LeadSelection
            state={listed}
            viewer={viewer}
            page={leads.data}
            selection={selection}
            onOffer={setOffer}
            onDone={focusCount}
          />
          {offer && (
            <FollowUpOffer
              // A later offer starts over.
              key={offer.ids.join()}
              offer={offer}
              onDone={() => {
                setOffer(undefined);
                focusCount();
              }}
            />
          )}
          {!leads.data && (
            // The tabs refer to a panel before the leads are loaded, too.
            <TabPanel value={state.view}>{leads.isPending && <ListLoading />}</TabPanel>
          )}
          {leads.isError && (
            <ErrorState title="Leads could not be loaded" onRetry={() => void leads.refetch()}>
              {leads.error.message}
            </ErrorState>
          )}
          {leads.data && (
            <SearchedText value={state.q}>
              <LeadViews
                state={listed}
                onChange={change}
                page={leads.data}
                stale={leads.isPlaceholderData}
                selection={selection}
                highlighted={highlighted}
                onOffer={setOffer}
                emptyState={<NoLeads admin={admin} filters={filters} onChange={change} onReset={reset} />}
              />
            </SearchedText>
          )}
        </TabsRoot>
      </div>
      {logging.sheet}
    </Page>
  );
}

function ListActions({ viewer, state, total }: { viewer: Viewer; state: ListState; total: number }) {
  const refresh = useRefreshList();
  const [exporting, setExporting] = useState(false);
  return (
    <>
      {/* Leads of others can be read, but not worked through. */}
      {!state.team && total > 1 && (
        <StartWork
          size="md"
          iconOnPhone
          title="Leads"
          origin={`/crm?${toSearch(state)}`}
          count={total}
          load={() => loadLeads(state, viewer, MAX_QUEUED)}
        />
      )}
      <AddBusinessButton iconOnPhone />
      {viewer.role === 'admin' && (
        <ButtonLink variant="secondary" className="max-md:hidden" href="/import">
          <Upload aria-hidden="true" />
          Import Businesses
        </ButtonLink>
      )}
      {viewer.role === 'admin' && (
        <ButtonLink variant="secondary" className="max-lg:hidden" href="/duplicates">
          <Copy aria-hidden="true" />
          Duplicates
        </ButtonLink>
      )}
      <Button variant="secondary" onClick={() => setExporting(true)}>
        <Download aria-hidden="true" />
        <span className="max-md:sr-only">Export</span>
      </Button>
      <Button variant="secondary" busy={refresh.isPending} onClick={() => refresh.mutate()}>
        {!refresh.isPending && <RefreshCw aria-hidden="true" />}
        <span className="max-md:sr-only">Refresh List</span>
      </Button>
      {exporting && <ExportDialog state={state} onClose={() => setExporting(false)} />}
    </>
  );
}

const ROOM_FOR_FILTERS = '(min-width: 64rem)';

/** As the user left the filter panel; before that, open where there is room. */
function useFiltersShown(userId: number) {
  const [shown, setShown] = useState(() => {
    const stored = getUserItem(userId, 'filters-shown');
    return typeof stored === 'boolean' ? stored : matchesMedia(ROOM_FOR_FILTERS);
  });
  const store = (next: boolean) => {
    setUserItem(userId, 'filters-shown', next);
    setShown(next);
  };
  return [shown, store] as const;
}

/**
 * Once per visit, although `loaded` changes with every filter, and not on coming back to a list that was loaded before.
 * The toast of the action before the visit stays.
 */
function useLoadedToast(loaded: boolean, hasData: boolean) {
  const [wasLoaded] = useState(hasData);
  const shown = useRef(wasLoaded);
  useEffect(() => {
    if (!loaded || shown.current) return;
    shown.current = true;
    if (!toasts.current()) toast(LIST_REFRESHED);
  }, [loaded]);
}

/** "1 result found", "10,000+ results found" */
function formatResultCount({ total, totalCapped }: LeadPage) {
  return `${formatCount(total)}${totalCapped ? '+' : ''} ${total === 1 ? 'result' : 'results'} found`;
}
