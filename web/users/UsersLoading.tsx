import { Skeleton } from '#web/kit/ui/Loading.tsx';

const PLACES = [1, 2, 3, 4, 5, 6];

/** Where the rows will be. */
export function UsersLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading users…</span>
      <div className="flex flex-col gap-3 lg:gap-0 lg:divide-y lg:divide-line lg:rounded-lg lg:border lg:border-line lg:bg-surface">
        {PLACES.map((place) => (
          <div key={place} className="rounded-lg border border-line bg-surface p-4 lg:border-0 lg:bg-transparent">
            <Skeleton lines={2} />
          </div>
        ))}
      </div>
    </div>
  );
}
