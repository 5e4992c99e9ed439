import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';

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

export function NoLeads({ admin, filtered, onReset }: { admin: boolean; filtered: boolean; onReset: () => void }) {
  return (
    <EmptyState
      title="No business assignments found"
      actions={
        <>
          {filtered && (
            <Button variant="secondary" onClick={onReset}>
              Show all leads
            </Button>
          )}
          {admin && !filtered && (
            <ButtonLink variant="secondary" href="/search">
              Search for businesses
            </ButtonLink>
          )}
        </>
      }
    >
      <p>
        {admin
          ? 'Assign businesses to users from the search results page.'
          : 'Your administrator will assign businesses to you when available.'}
      </p>
      {filtered && <p className="mt-1">No lead matches the filters in use.</p>}
    </EmptyState>
  );
}
