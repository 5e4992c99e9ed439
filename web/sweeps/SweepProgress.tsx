import { useState } from 'react';
import { PROVIDER_LABEL } from '#contract/search/search.ts';
import type { Sweep } from '#contract/sweeps/sweep.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { JobProgress } from '#web/kit/ui/JobProgress.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { describeProgress } from './describe-sweep.ts';
import { useCancelSweep, useContinueSweep, usePauseSweep } from './sweeps.data.ts';

/** How far a sweep is, what it found, and the buttons that pause, continue and end it. */
export function SweepProgress({ sweep }: { sweep: Sweep }) {
  const { districts, found, results, calls, message, state, stopping, provider } = sweep;
  const share = districts.total ? (districts.done + districts.failed) / districts.total : 0;
  return (
    <Card>
      <JobProgress
        label="Districts searched"
        text={describeProgress(sweep)}
        share={share}
        running={state === 'running'}
        buttons={<Actions sweep={sweep} />}
      >
        {message && <p className="text-sm [overflow-wrap:anywhere]">{message}</p>}
        {state === 'running' && (
          <p className="text-sm text-muted">
            {stopping
              ? 'It stops after the call that is under way.'
              : 'You can leave this page: the search goes on. Pausing keeps what was found.'}
          </p>
        )}
        <dl className="my-2 grid grid-cols-2 gap-2 sm:grid-cols-4 sm:gap-3">
          <Count label="Places found" count={found} />
          <Count label="Without repetitions" count={results} />
          <Count label="Calls made" count={calls} />
          <div className="flex flex-col-reverse justify-between rounded-md bg-sunken px-3 py-2">
            <dt className="text-xs text-muted">Source</dt>
            <dd className="text-sm font-semibold">{PROVIDER_LABEL[provider]}</dd>
          </div>
        </dl>
      </JobProgress>
    </Card>
  );
}

function Count({ label, count }: { label: string; count: number }) {
  return (
    <div className="flex flex-col-reverse justify-between rounded-md bg-sunken px-3 py-2">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-xl font-semibold tabular-nums">{formatCount(count)}</dd>
    </div>
  );
}

function Actions({ sweep }: { sweep: Sweep }) {
  const { id, state, stopping, canContinue, districts } = sweep;
  const [ending, setEnding] = useState(false);
  const pause = usePauseSweep(id);
  const proceed = useContinueSweep(id);
  const cancel = useCancelSweep(id);
  const running = state === 'running';
  const repeats = state === 'done';
  const cancellable = running || (canContinue && !repeats);
  if (!running && !canContinue) return null;
  return (
    <>
      {/* One button, so that it keeps the focus when the other one takes its place. */}
      <Button
        variant={running ? 'secondary' : 'primary'}
        busy={pause.isPending || proceed.isPending || stopping}
        onClick={() => (running ? pause : proceed).mutate()}
      >
        {running ? 'Pause' : repeats ? `Repeat ${formatCount(districts.failed)} failed` : 'Continue'}
      </Button>
      {cancellable && (
        <Button variant="danger-secondary" disabled={cancel.isPending} onClick={() => setEnding(true)}>
          Cancel sweep
        </Button>
      )}
      <AlertDialog
        open={ending && cancellable}
        title="Cancel this sweep?"
        description="The districts that are left are not searched. The results so far stay, and can be assigned."
        confirmLabel="Cancel sweep"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setEnding(false) })}
        onClose={() => setEnding(false)}
      />
    </>
  );
}
