import { CircleAlert } from 'lucide-react';
import type { SystemStatus } from '#contract/system/system.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';

/** A red line for each thing that needs hands. */
export function Problems({ problems }: Pick<SystemStatus, 'problems'>) {
  const timeZone = useTimeZone();
  return (
    // A live region must exist before its content.
    <section aria-label="What needs attention" aria-live="polite">
      {problems.length === 0 && <Notice tone="good">Everything is in order.</Notice>}
      <ul className="flex flex-col gap-2 empty:hidden">
        {problems.map(({ key, title, message, since }) => (
          <li
            key={key}
            className="flex items-start gap-2 rounded-md bg-danger-soft px-4 py-3 text-sm text-danger-text [overflow-wrap:anywhere]"
          >
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{title}</p>
              <p>{message}</p>
            </div>
            {since && (
              <p className="shrink-0 max-sm:sr-only">
                since <TeamTime at={since} timeZone={timeZone} format={formatDateTime} className="min-w-[15ch]" />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
