import { clsx } from 'clsx';
import { CalendarClock } from 'lucide-react';
import { ACTIVITY_TYPE_LABEL, type ActivityType, type Lead } from '#contract/leads/lead.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDue, isOverdue } from './format-due.ts';

/** When the next step of a lead is due, in red when it is overdue; nothing where none is planned. */
export function NextStep({ lead: { nextStepAt, nextStepType } }: { lead: Lead }) {
  return nextStepAt && nextStepType && <PlannedStep at={nextStepAt} type={nextStepType} />;
}

function PlannedStep({ at, type }: { at: string; type: ActivityType }) {
  const timeZone = useTimeZone();
  const now = new Date();
  const overdue = isOverdue(at, now);
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-2 align-middle text-sm font-medium whitespace-nowrap [&>svg]:size-4',
        overdue ? 'text-danger-text' : 'text-ink',
      )}
    >
      <CalendarClock aria-hidden="true" />
      <span className="flex gap-1">
        <span className="sr-only">{overdue ? 'Overdue:' : 'Next step:'}</span>
        {ACTIVITY_TYPE_LABEL[type]}
        <time dateTime={at}>{timeZone && formatDue(at, now, timeZone)}</time>
      </span>
    </span>
  );
}
