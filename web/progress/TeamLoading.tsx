import { Card } from '#web/kit/ui/Card.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8];

/** Where the summary and the members will be. */
export function TeamLoading() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading…</span>
      <Card>
        <Skeleton lines={3} />
      </Card>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {PLACES.map((place) => (
          <div key={place} className="rounded-lg border border-line bg-surface p-4">
            <Skeleton lines={5} />
          </div>
        ))}
      </div>
    </div>
  );
}
