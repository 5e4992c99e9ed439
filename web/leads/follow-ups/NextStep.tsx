import { clsx } from 'clsx';
import { CalendarClock } from 'lucide-react';
import { ACTIVITY_TYPE_LABEL, type Lead } from '#contract/leads/lead.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDue, isOverdue } from './format-due.ts';

/** When the next step of a lead is due, in red when it is overdue; nothing where none is planned. */
export function NextStep({ lead: { nextStepAt, nextStepType } }: { lead: Lead }) {
  const timeZone = useTimeZone();
  if (!nextStepAt || !nextStepType) return null;
  const now = new Date();
  const overdue = isOverdue(nextStepAt, now);
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 text-sm font-medium whitespace-nowrap [&>svg]:size-4',
        overdue ? 'text-danger-text' : 'text-ink',
      )}
    >
      <CalendarClock aria-hidden="true" />
      <span className="sr-only">{overdue ? 'Overdue:' : 'Next step:'}</span>
      {ACTIVITY_TYPE_LABEL[nextStepType]}
      <time dateTime={nextStepAt}>{timeZone && formatDue(nextStepAt, now, timeZone)}</time>
    </span>
  );
}
