import { Card } from '#web/kit/ui/Card.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { profileGrid } from './profile-grid.ts';

/** Where the profile will be. */
export function LeadLoading() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading business…</span>
      <div className="w-72 max-w-full">
        <Skeleton lines={2} />
      </div>
      <div className={profileGrid}>
        {[6, 5, 6, 4].map((lines, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places never move
          <Card key={place}>
            <Skeleton lines={lines} />
          </Card>
        ))}
      </div>
    </div>
  );
}
