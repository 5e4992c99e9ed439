import { clsx } from 'clsx';
import { useId } from 'react';
import { Link } from 'wouter';
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { Sweep } from '#contract/sweeps/sweep.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCounted, formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { describeProgress, describeSweep, STATE_LABEL, STATE_TONE } from './describe-sweep.ts';
import { useSweeps } from './sweeps.data.ts';

/** The latest sweeps of all administrators. */
export function RecentSweeps() {
  const headingId = useId();
  const { data, isPending, isLoadingError, error, refetch } = useSweeps();
  return (
    <Card className="flex flex-col gap-4">
      <h2 id={headingId} className="text-lg font-semibold">
        Recent sweeps
      </h2>
      {isPending && <Skeleton lines={3} />}
      {isLoadingError && (
        <ErrorState title="Recent sweeps could not be loaded" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data?.items.length === 0 && <p className="text-sm text-muted">No sweep has been started yet.</p>}
      {data && data.items.length > 0 && (
        <ul aria-labelledby={headingId} className="divide-y divide-line">
          {data.items.map((sweep) => (
            <RecentSweep key={sweep.id} sweep={sweep} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function RecentSweep({ sweep }: { sweep: Sweep }) {
  const timeZone = useTimeZone();
  return (
    <li className="flex flex-col gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Link
          href={`/sweeps/${sweep.id}`}
          className={clsx(linkClass, targetClass, 'min-w-0 max-sm:min-w-11 [overflow-wrap:anywhere]')}
        >
          {describeSweep(sweep)}
        </Link>
        <Badge tone={STATE_TONE[sweep.state]}>{STATE_LABEL[sweep.state]}</Badge>
      </div>
      <p className="flex flex-wrap gap-x-3 text-muted">
        <span>{sweep.startedBy ?? DELETED_USER}</span>
        <TeamTime at={sweep.createdAt} timeZone={timeZone} format={formatDateTime} className="min-w-[15ch]" />
        <span className="tabular-nums">{describeProgress(sweep)}</span>
        <span className="tabular-nums">{formatCounted(sweep.results, 'result')}</span>
      </p>
    </li>
  );
}
