import { clsx } from 'clsx';
import type { StopReason } from '#contract/leads/trip/trip.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatMiles, formatReason, isOverdue } from './stop-reason.ts';

/** Why a lead is a stop, in red where its follow-up is overdue. */
export function StopReasonText({ reason }: { reason: StopReason }) {
  const timeZone = useTimeZone();
  const now = new Date();
  if (!timeZone) return null;
  const overdue = isOverdue(reason, now);
  return (
    <span className={clsx(overdue && 'text-danger-text', reason.kind === 'due' ? 'font-medium' : 'text-muted')}>
      {formatReason(reason, now, timeZone)}
    </span>
  );
}

interface LegProps {
  reason: StopReason;
  /** Of the stop, from 0. */
  index: number;
  /** From the stop before, or from the start. */
  miles: number;
}

/** The same with the way from the stop before. */
export function StopReasonAndLeg({ reason, index, miles }: LegProps) {
  // What is near says so itself.
  const saysSo = index === 0 && reason.kind === 'near';
  return (
    <p>
      <StopReasonText reason={reason} />
      {!saysSo && (
        <span className="text-muted">
          <span aria-hidden="true"> · </span>
          <span>{`${formatMiles(miles)} from ${index === 0 ? 'the start' : `stop ${index}`}`}</span>
        </span>
      )}
    </p>
  );
}
