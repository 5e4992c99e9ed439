import { clsx } from 'clsx';
import { formatJobKind } from '#contract/jobs/job.ts';
import type { SystemJob } from '#contract/system/system.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCount, formatDateTimeSeconds } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable, CardTableFrame } from '#web/kit/ui/tables/CardTable.tsx';
import { describeJobs, JOB_STATE } from './describe-system.ts';

const COLUMNS = ['Job', 'State', 'For', 'Done', 'Next step'];

export function Jobs({ jobs }: { jobs: SystemJob[] }) {
  return (
    <section aria-labelledby="jobs-heading" className="mt-2 flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="jobs-heading" className="text-lg font-semibold">
          Jobs
        </h2>
        <p className="text-sm text-muted tabular-nums">{describeJobs(jobs)}</p>
      </div>
      {jobs.length === 0 ? (
        <EmptyState title="No job is running or waiting" />
      ) : (
        <CardTableFrame>
          <CardTable
            label="Jobs"
            head={COLUMNS.map((column) => <CardHeadCell key={column}>{column}</CardHeadCell>)}
            className="sm:max-lg:grid-cols-2"
          >
            {jobs.map((job) => (
              <JobRow key={job.id} job={job} />
            ))}
          </CardTable>
        </CardTableFrame>
      )}
    </section>
  );
}

function JobRow({ job }: { job: SystemJob }) {
  const { kind, state, user, done, total, tries, lastError, nextAt } = job;
  const timeZone = useTimeZone();
  return (
    <CardRow className="[overflow-wrap:anywhere] max-lg:grid-cols-[minmax(0,1fr)_auto]">
      <CardCell className="font-semibold max-lg:text-base">
        {formatJobKind(kind)}
        {lastError && (
          <p className="text-sm font-normal text-danger-text">
            {lastError}
            {tries > 0 && ` (${tries === 1 ? 'once' : `${formatCount(tries)} times`} in a row)`}
          </p>
        )}
      </CardCell>
      <CardCell className="lg:w-28">
        <Badge tone={JOB_STATE[state].tone}>{JOB_STATE[state].label}</Badge>
      </CardCell>
      <CardCell label="For" className={clsx('lg:w-48 max-lg:col-span-2', !user && 'max-lg:hidden')}>
        {user ?? 'Highstreet'}
      </CardCell>
      <CardCell label="Done" className="tabular-nums lg:w-40 max-lg:col-span-2 max-lg:empty:hidden">
        {total > 0 && `${formatCount(done)} of ${formatCount(total)}`}
      </CardCell>
      <CardCell label="Next step" className="tabular-nums lg:w-56 max-lg:col-span-2">
        {state === 'running' && 'Now'}
        {state !== 'running' && nextAt && (
          <TeamTime at={nextAt} timeZone={timeZone} format={formatDateTimeSeconds} className="min-w-[18ch]" />
        )}
        {!nextAt && 'None: it was stopped'}
      </CardCell>
    </CardRow>
  );
}
