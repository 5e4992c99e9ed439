import type { UseQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useId } from 'react';
import { Link } from 'wouter';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { describeProgress, STATE_LABEL, STATE_TONE } from './describe-import.ts';
import type { ListedImport } from './import-jobs.data.ts';

/** The latest imports of all administrators. */
export function RecentImports({ imports }: { imports: UseQueryResult<{ items: ListedImport[] }> }) {
  const headingId = useId();
  const { data, isPending, isLoadingError, refetch } = imports;
  return (
    <Card className="flex flex-col gap-4">
      <h2 id={headingId} className="text-lg font-semibold">
        Recent imports
      </h2>
      {isPending && <Skeleton lines={3} />}
      {isLoadingError && (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <p>Recent imports could not be loaded.</p>
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try Again
          </Button>
        </div>
      )}
      {data?.items.length === 0 && <p className="text-sm text-muted">Nothing has been imported yet.</p>}
      {data && data.items.length > 0 && (
        <ul aria-labelledby={headingId} className="divide-y divide-line">
          {data.items.map((job) => (
            <RecentImport key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function RecentImport({ job }: { job: ListedImport }) {
  const timeZone = useTimeZone();
  const progress = describeProgress(job);
  return (
    <li className="flex flex-col gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Link
          href={`/import/${job.id}`}
          className={clsx(linkClass, targetClass, 'min-w-0 max-sm:min-w-11 [overflow-wrap:anywhere]')}
        >
          {job.fileName}
        </Link>
        <Badge tone={STATE_TONE[job.state]}>{STATE_LABEL[job.state]}</Badge>
      </div>
      <p className="flex flex-wrap gap-x-3 text-muted">
        <span>{job.importedBy ?? DELETED_USER}</span>
        <TeamTime at={job.createdAt} timeZone={timeZone} format={formatDateTime} className="min-w-[15ch]" />
        {progress && <span className="tabular-nums">{progress}</span>}
      </p>
    </li>
  );
}
