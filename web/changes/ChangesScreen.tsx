import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { type ChangeBatch, UNDO_DAYS } from '#contract/changes/change.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { ChangeFilters } from './ChangeFilters.tsx';
import { ChangeTable } from './ChangeTable.tsx';
import { useChanges, useExportChanges } from './changes.data.ts';
import { type ChangesState, isFiltered, NO_FILTER, useChangesState } from './changes-state.ts';
import { UndoDialog } from './UndoDialog.tsx';

/** The viewer's changes of leads, for admins everyone's, each with what undoing it would do. */
export function ChangesScreen() {
  const viewer = useViewer();
  const [state, change] = useChangesState();
  // In a link from an admin, the person is ignored: the server lists the viewer's own changes.
  const filter = viewer.role === 'admin' ? state : { ...state, userId: undefined };
  const changes = useChanges(filter);
  const batches = changes.data?.pages.flatMap(({ items }) => items);
  const [undoing, setUndoing] = useState<ChangeBatch>();
  const count = useRef<HTMLParagraphElement>(null);
  const focusCount = () => count.current?.focus();

  const clear = () => {
    change(NO_FILTER);
    focusCount();
  };
  const showMore = async () => {
    const { hasNextPage } = await changes.fetchNextPage();
    // The pressed button is gone.
    if (!hasNextPage) focusCount();
  };

  return (
    <Page
      title="Recent changes"
      aside={
        <p ref={count} tabIndex={-1} aria-live="polite" className="text-sm text-muted">
          {batches && formatShown(batches.length, changes.hasNextPage)}
        </p>
      }
      actions={viewer.role === 'admin' && <ExportButton filter={filter} disabled={!batches?.length} />}
    >
      <ChangeFilters viewer={viewer} state={filter} onChange={change} />
      {changes.isPending && <Loading label="Loading changes…" />}
      {changes.isLoadingError && (
        <ErrorState title="Changes could not be loaded" onRetry={() => void changes.refetch()}>
          {changes.error.message}
        </ErrorState>
      )}
      {/* A live region must exist before its content. */}
      <div role="status" className="empty:hidden">
        {batches?.length === 0 && <NoChanges filtered={isFiltered(filter)} onClear={clear} />}
      </div>
      {batches && batches.length > 0 && (
        <ChangeTable batches={batches} viewer={viewer} stale={changes.isPlaceholderData} onUndo={setUndoing} />
      )}
      {changes.isRefetchError && (
        <Notice tone="danger">The list could not be refreshed: {changes.error.message}</Notice>
      )}
      {changes.isFetchNextPageError && (
        <Notice tone="danger">More changes could not be loaded: {changes.error.message}</Notice>
      )}
      {changes.hasNextPage && (
        <Button
          variant="secondary"
          className="self-center"
          busy={changes.isFetchingNextPage}
          onClick={() => void showMore()}
        >
          Show more
        </Button>
      )}
      {undoing && <UndoDialog batch={undoing} onClose={() => setUndoing(undefined)} onTriggerRemoved={focusCount} />}
    </Page>
  );
}

function ExportButton({ filter, disabled }: { filter: ChangesState; disabled: boolean }) {
  const exporting = useExportChanges();
  return (
    <Button variant="secondary" busy={exporting.isPending} disabled={disabled} onClick={() => exporting.mutate(filter)}>
      {!exporting.isPending && <Download aria-hidden="true" />}
      Export CSV
    </Button>
  );
}

function NoChanges({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered)
    return (
      <EmptyState
        title="No changes match the filters in use"
        actions={
          <Button variant="secondary" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  return (
    <EmptyState title="No changes yet">
      What you change on leads is listed here, and can be undone for {UNDO_DAYS} days.
    </EmptyState>
  );
}

/** "1 change", "50 changes shown" */
function formatShown(count: number, more: boolean) {
  if (more) return `The latest ${formatCount(count)} changes`;
  return count === 1 ? '1 change' : `${formatCount(count)} changes`;
}
