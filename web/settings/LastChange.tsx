import type { SettingChange } from '#contract/settings/settings.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';

/** Who changed a setting last, and when. */
export function LastChange({ change }: { change: SettingChange | null }) {
  const timeZone = useTimeZone();
  if (!change) return <p className="text-sm text-muted">Not changed yet.</p>;
  return (
    <p className="text-sm text-muted">
      {change.reset ? 'Set back to the defaults' : 'Changed'} by {change.by} on{' '}
      <time dateTime={change.at}>{timeZone && formatDateTime(change.at, timeZone)}</time>.
    </p>
  );
}
