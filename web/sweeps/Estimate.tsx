import type { ReactNode } from 'react';
import { PROVIDER_LABEL } from '#contract/search/search.ts';
import type { SweepEstimate } from '#contract/sweeps/sweep.ts';
import { formatCount } from '#web/kit/format.ts';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { describeCalls, describeDuration } from './describe-sweep.ts';
import { useEstimate } from './sweeps.data.ts';

/** What a sweep over these places will cost. */
export function Estimate({ places }: { places: string[] }) {
  const estimate = useEstimate(places);
  return (
    <section
      aria-label="Estimate"
      aria-busy={estimate.isFetching}
      className="flex flex-col gap-3 rounded-md bg-sunken p-4"
    >
      <h2 className="text-sm font-semibold">Before it starts</h2>
      {places.length === 0 && <p className="text-sm text-muted">Enter districts to see calls, cost and duration.</p>}
      {places.length > 0 && estimate.isPending && <Skeleton lines={4} />}
      {places.length > 0 && estimate.isError && (
        <ErrorState title="The cost could not be worked out" onRetry={() => void estimate.refetch()}>
          {estimate.error.message}
        </ErrorState>
      )}
      {places.length > 0 && estimate.data && <Details estimate={estimate.data} />}
    </section>
  );
}

function Details({ estimate }: { estimate: SweepEstimate }) {
  const { districts, provider, quota, daily, seconds, calls, paidCalls, unknown, notReady } = estimate;
  return (
    <>
      <dl aria-live="polite" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Line label="Districts">{formatCount(districts)}</Line>
        <Line label="Source">{PROVIDER_LABEL[provider]}</Line>
        <Line label="Calls">{describeCalls(estimate)}</Line>
        {quota && (
          <Line label="This month">
            {formatCount(quota.left)} of {formatCount(quota.cap)} paid calls left
          </Line>
        )}
        {daily && (
          <Line label="Today">
            {formatCount(daily.left)} of {formatCount(daily.limit)} calls of the public service left
          </Line>
        )}
        <Line label="Duration">{describeDuration(seconds)}</Line>
      </dl>
      {unknown.length > 0 && (
        <Notice tone="danger">No postcode area, district or region: {unknown.slice(0, 5).join(', ')}</Notice>
      )}
      {notReady && <Notice tone="danger">{notReady}</Notice>}
      {quota && paidCalls > quota.left && (
        <Notice>
          The cap may be reached. The sweep then stops, keeps its results, and can be continued next month or after the
          cap is raised.
        </Notice>
      )}
      {daily && calls > daily.left && (
        <Notice>
          The sweep stops when the calls of today are made, and can be continued tomorrow. With a server of your own
          there is no such limit.
        </Notice>
      )}
    </>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
