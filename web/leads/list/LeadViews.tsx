import { clsx } from 'clsx';
import { type ReactNode, useEffect } from 'react';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Tabs } from '#web/kit/ui/Tabs.tsx';
import { LeadCards } from './LeadCards.tsx';
import { LeadTable } from './LeadTable.tsx';
import { ListFooter, pagesOf } from './ListFooter.tsx';
import type { ListState, View } from './list-state.ts';
import { MapTab } from './MapTab.tsx';

interface Props {
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  found: LeadPage;
  /** What is shown belongs to the question before. */
  changing: boolean;
  selection: Selection<number>;
  highlighted: string | undefined;
  empty: ReactNode;
}

/** One answer, seen as cards, as a table or on a map. */
export function LeadViews({ state, onChange, found, changing, selection, highlighted, empty }: Props) {
  const timeZone = useTimeZone();
  const { items } = found;
  const pages = pagesOf(found);
  const beyond = !changing && items.length === 0 && state.page > pages;
  // The last lead of the last page is gone: the page before it is the last one now.
  useEffect(() => {
    if (beyond) onChange({ page: pages });
  });

  const shown = { items, selection, highlighted };
  const footer = (
    <ListFooter
      found={found}
      page={state.page}
      pageSize={state.pageSize}
      onPage={(page) => onChange({ page })}
      onPageSize={(pageSize) => onChange({ pageSize })}
    />
  );
  const inPages = (view: ReactNode) =>
    items.length === 0 ? (
      empty
    ) : (
      <div aria-busy={changing} className={clsx('flex flex-col gap-4', changing && 'opacity-60')}>
        {view}
        {footer}
      </div>
    );

  return (
    <Tabs
      label="View"
      value={state.view}
      onValueChange={(view) => onChange({ view: view as View })}
      tabs={[
        { value: 'list', label: 'List', content: inPages(<LeadCards {...shown} />) },
        { value: 'table', label: 'Table', content: inPages(<LeadTable {...shown} timeZone={timeZone} />) },
        { value: 'map', label: 'Map', content: <MapTab state={state} found={found} footer={footer} /> },
      ]}
    />
  );
}
