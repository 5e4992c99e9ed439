import { Download } from 'lucide-react';
import { useRef } from 'react';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';
import { useAuditEvents, useExportAuditEvents } from './audit.data.ts';
import { type AuditFilter, formatAuditFilter, NO_FILTER, useAuditFilter } from './audit-filter.ts';

/** Who did what, for administrators. */
export function AuditScreen() {
  const [filter, change] = useAuditFilter();
  const personField = useRef<HTMLSelectElement>(null);
  // What was pressed is in the list that the filter replaces.
  const focusFilters = () => personField.current?.focus();
  const clear = () => {
    change(NO_FILTER);
    focusFilters();
  };
  const exporting = useExportAuditEvents();
  return (
    <Page
      title="Audit log"
      actions={
        <Button variant="secondary" busy={exporting.isPending} onClick={() => exporting.mutate(filter)}>
          {!exporting.isPending && <Download aria-hidden="true" />}
          {exporting.isPending ? 'Exporting...' : 'Export CSV'}
        </Button>
      }
    >
      <p className="text-sm text-muted">
        Sign-ins, account changes, assignments, deletions, imports, exports and refused requests of the last 400 days.
      </p>
      <AuditFilters filter={filter} onFilter={change} personField={personField} />
      <EventList filter={filter} onClear={clear} onPerson={focusFilters} />
    </Page>
  );
}

interface ListProps {
  filter: AuditFilter;
  onClear: () => void;
  /** The link to the events of one person was opened. */
  onPerson: () => void;
}

function EventList({ filter, onClear, onPerson }: ListProps) {
  const events = useAuditEvents(filter);
  const shown = events.data?.pages.flatMap(({ items }) => items) ?? [];
  const position = useRef<HTMLParagraphElement>(null);

  const showMore = async () => {
    const { hasNextPage } = await events.fetchNextPage();
    // The pressed button is gone, and with it the focus.
    if (!hasNextPage) position.current?.focus();
  };

  return (
    <>
      {events.isPending && <EventsLoading />}
      {events.isLoadingError && (
        <ErrorState title="The audit log could not be loaded" onRetry={() => void events.refetch()}>
          {events.error.message}
        </ErrorState>
      )}
      {events.isRefetchError && <Notice tone="danger">The log could not be refreshed: {events.error.message}</Notice>}
      {/* A live region must exist before its content. */}
      <div role="status" className="empty:hidden">
        {events.data && shown.length === 0 && (
          <NoEvents filtered={formatAuditFilter(filter) !== ''} onClear={onClear} />
        )}
      </div>
      {shown.length > 0 && (
        <>
          <AuditTable
            events={shown}
            personHref={(person) => `/audit?${formatAuditFilter({ ...filter, person })}`}
            onPerson={onPerson}
          />
          {events.isFetchNextPageError && (
            <Notice tone="danger">More events could not be loaded: {events.error.message}</Notice>
          )}
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <p ref={position} tabIndex={-1} aria-live="polite" className="text-sm text-muted">
              {formatPosition(shown.length, events.hasNextPage)}
            </p>
            {events.hasNextPage && (
              <Button variant="secondary" busy={events.isFetchingNextPage} onClick={() => void showMore()}>
                Show more
              </Button>
            )}
          </div>
        </>
      )}
    </>
  );
}

function formatPosition(count: number, more: boolean) {
  if (more) return `Showing the newest ${formatCount(count)} events`;
  return count === 1 ? 'Showing 1 event' : `Showing all ${formatCount(count)} events`;
}

function NoEvents({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <EmptyState title="Nothing has been recorded yet" />;
  return (
    <EmptyState
      title="No event matches the filters in use"
      actions={
        <Button variant="secondary" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  );
}

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

function EventsLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the audit log…</span>
      <div className="flex flex-col gap-3 lg:gap-0 lg:divide-y lg:divide-line lg:rounded-lg lg:border lg:border-line lg:bg-surface">
        {SKELETON_ROWS.map((row) => (
          <div key={row} className="rounded-lg border border-line bg-surface p-4 lg:border-0 lg:bg-transparent">
            <Skeleton lines={2} />
          </div>
        ))}
      </div>
    </div>
  );
}
