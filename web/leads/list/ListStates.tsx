import { openFind } from '#web/commands/dialogs.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { AddBusinessButton } from '#web/leads/AddBusinessButton.tsx';
import { useMayAddLeads } from '#web/settings/settings.data.ts';
import type { ListState } from './list-state.ts';

export function ListLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading leads…</span>
      <div className="grid gap-3 lg:grid-cols-2">
        {Array.from({ length: 6 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never move
          <div key={index} className="rounded-lg border border-line bg-surface p-4">
            <Skeleton lines={4} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface NoLeadsProps {
  admin: boolean;
  /** The filters in use; undefined where there are none. */
  filters: ListState | undefined;
  onChange: (change: Partial<ListState>) => void;
  onReset: () => void;
}

const EVERY_STATE = { hideClosed: false, archived: true, existing: true };

export function NoLeads({ admin, filters, onChange, onReset }: NoLeadsProps) {
  const mayAdd = useMayAddLeads();
  const hint = admin
    ? 'Assign businesses to users from the search results page.'
    : mayAdd
      ? 'Add a business, or make one of the search results your lead.'
      : 'Your administrator will assign businesses to you when available.';
  const everyStateShown = filters && !filters.hideClosed && filters.archived && filters.existing;
  return (
    <EmptyState
      title="No business assignments found"
      actions={
        <>
          {filters && (
            <>
              <Button variant="secondary" onClick={() => openFind(filters.q)}>
                Search everything
              </Button>
              {!everyStateShown && (
                <Button variant="secondary" onClick={() => onChange(EVERY_STATE)}>
                  Search archived and closed too
                </Button>
              )}
              <Button variant="secondary" onClick={onReset}>
                Show all leads
              </Button>
            </>
          )}
          {!filters && <AddBusinessButton />}
          {admin && !filters && (
            <ButtonLink variant="secondary" href="/search">
              Search for businesses
            </ButtonLink>
          )}
        </>
      }
    >
      {filters && <p>No lead matches the search and filters in use. Clear them to see all leads.</p>}
      {/* With a search text, what is missing is another text. */}
      {!filters?.q && <p>{hint}</p>}
    </EmptyState>
  );
}
