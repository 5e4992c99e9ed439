import { clsx } from 'clsx';
import { type ReactNode, useEffect } from 'react';
import { PAGE_SIZES } from '#contract/leads/lead-filter.ts';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { lazyComponent } from '#web/kit/lazy.tsx';
import type { Selection } from '#web/kit/selection.ts';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { TabPanel } from '#web/kit/ui/Tabs.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import type { Offer } from '#web/leads/list/bulk/FollowUpOffer.tsx';
import { LeadCards } from '#web/leads/list/cards/LeadCards.tsx';
import { MapView } from '#web/leads/list/map/MapView.tsx';
import { ColumnsMenu } from '#web/leads/list/table/ColumnsMenu.tsx';
import { LeadTable } from '#web/leads/list/table/LeadTable.tsx';
import { ListLoading } from './ListStates.tsx';
import type { ListState } from './list-state.ts';
import type { ChangeList } from './use-list-state.ts';

interface Props {
  state: ListState;
  onChange: ChangeList;
  page: LeadPage;
  /** Whether the page is that of the previous query, shown while the next one loads. */
  stale: boolean;
  selection: Selection<number>;
  highlighted: string | undefined;
  emptyState: ReactNode;
  /** Something is to be offered for a lead that was moved on the board. */
  onOffer: (offer: Offer) => void;
}

// Dragging is loaded with the first board, and the table library with the first chosen columns.
const LeadGrid = lazyComponent(
  async () => (await import('#web/leads/list/table/LeadGrid.tsx')).LeadGrid,
  <ListLoading />,
);
const LeadBoard = lazyComponent(
  async () => (await import('#web/leads/list/board/LeadBoard.tsx')).LeadBoard,
  <ListLoading />,
);

/** Loads the code of a layout while its leads are loaded. */
export function preloadLayout(view: ListState['view'], hasColumns: boolean) {
  if (view === 'board') LeadBoard.preload();
  if (view === 'table' && hasColumns) LeadGrid.preload();
}

/** Some time after the first leads: the others, so that they open at once. */
const OTHERS_AFTER_MS = 2_000;

function usePreloadedLayouts() {
  useEffect(() => {
    const timer = setTimeout(() => {
      LeadBoard.preload();
      LeadGrid.preload();
    }, OTHERS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** The page of leads as cards, as a table, on a map or on the board. */
export function LeadViews({ state, onChange, page, stale, selection, highlighted, emptyState, onOffer }: Props) {
  usePreloadedLayouts();
  const timeZone = useTimeZone();
  const { items } = page;
  const pageCount = countPages(page);
  const beyondLastPage = !stale && items.length === 0 && state.page > pageCount;
  // The last lead of the last page is gone: go to the page before.
  useEffect(() => {
    if (beyondLastPage) onChange({ page: pageCount }, { replace: true });
  });

  const leads = { items, selection, highlighted };
  const footer = (
    <Footer
      page={state.page}
      pageCount={pageCount}
      pageSize={state.pageSize}
      onPage={(page) => onChange({ page })}
      onPageSize={(pageSize) => onChange({ pageSize })}
    />
  );
  const withFooter = (view: ReactNode) =>
    items.length === 0 ? (
      emptyState
    ) : (
      <div aria-busy={stale} className={clsx('flex flex-col gap-4', stale && 'opacity-60')}>
        {view}
        {footer}
      </div>
    );

  return (
    <>
      <TabPanel value="list">{withFooter(<LeadCards {...leads} />)}</TabPanel>
      <TabPanel value="table">
        {withFooter(
          <div className="flex flex-col gap-1">
            <div className="-mt-1 self-end">
              <ColumnsMenu state={state} onChange={onChange} />
            </div>
            {state.columns ? (
              // The key forgets widths of another view.
              <LeadGrid key={state.saved} {...leads} state={state} stale={stale} onChange={onChange} />
            ) : (
              <LeadTable {...leads} state={state} onChange={onChange} timeZone={timeZone} />
            )}
          </div>,
        )}
      </TabPanel>
      <TabPanel value="map" className="flex flex-1 flex-col">
        <MapView
          state={state}
          onChange={onChange}
          items={items}
          total={page.totalCapped || stale ? undefined : page.total}
          footer={footer}
        />
      </TabPanel>
      <TabPanel value="board">{page.total === 0 ? emptyState : <LeadBoard state={state} onOffer={onOffer} />}</TabPanel>
    </>
  );
}

/** Where the total is capped, a full page always has another one after it. */
function countPages({ total, totalCapped, page, pageSize, items }: LeadPage): number {
  const counted = Math.max(1, Math.ceil(total / pageSize));
  return totalCapped && items.length === pageSize ? Math.max(counted, page + 1) : counted;
}

const PAGE_SIZE_OPTIONS = PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }));

interface FooterProps {
  page: number;
  pageCount: number;
  pageSize: number;
  onPage: (page: number) => void;
  onPageSize: (pageSize: number) => void;
}

function Footer({ page, pageCount, pageSize, onPage, onPageSize }: FooterProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="flex items-center gap-2 text-sm">
        <span aria-hidden="true">Items per page</span>
        <SelectField
          className="w-22"
          label="Items per page"
          labelHidden
          options={PAGE_SIZE_OPTIONS}
          value={String(pageSize)}
          onChange={({ target }) => onPageSize(Number(target.value))}
        />
      </div>
      <Pagination label="Leads" page={page} pages={pageCount} onPage={onPage} />
    </div>
  );
}
