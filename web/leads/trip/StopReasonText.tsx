import { clsx } from 'clsx';
import type { StopReason } from '#contract/leads/trip/trip.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatReason, isOverdue } from './stop-reason.ts';

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
