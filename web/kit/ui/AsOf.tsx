import { Clock } from 'lucide-react';
import { formatMonthDay, formatTime } from '#contract/format.ts';
import { useIsOffline } from '#web/kit/connection.ts';
import { browserTimeZone } from '#web/kit/format.ts';

/** When what a screen shows was read, in milliseconds since 1970, for as long as the server cannot be reached. */
export function AsOf({ at }: { at: number }) {
  if (!useIsOffline()) return null;
  return (
    <p className="flex items-center gap-1.5 text-sm text-muted">
      <Clock aria-hidden="true" className="size-4 shrink-0" />
      <span>
        As of <time dateTime={new Date(at).toISOString()}>{formatAsOf(at)}</time>
      </span>
    </p>
  );
}

/** "14:05"; of another day "Nov 18, 14:05". On the clock of who is looking at it. */
function formatAsOf(at: number) {
  const [iso, zone] = [new Date(at).toISOString(), browserTimeZone()];
  const day = formatMonthDay(iso, zone);
  const isToday = day === formatMonthDay(new Date().toISOString(), zone);
  return isToday ? formatTime(iso, zone) : `${day}, ${formatTime(iso, zone)}`;
}
