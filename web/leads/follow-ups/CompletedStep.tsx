import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDue } from './format-due.ts';

/** Says what logging a contact completes: what is planned is not forgotten silently. */
export function CompletedStep({ at }: { at: string }) {
  const timeZone = useTimeZone();
  return (
    <p className="text-sm text-muted">
      This completes the follow-up planned for {timeZone && formatDue(at, new Date(), timeZone)}.
    </p>
  );
}
