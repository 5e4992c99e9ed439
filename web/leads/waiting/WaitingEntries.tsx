import { formatDateTime } from '#web/kit/format.ts';
import { useOutboxEntries } from '#web/kit/outbox/outbox.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';

/** What of the timeline is not on the server yet, newest first; nothing where there is none. */
export function WaitingEntries({ uuid, timeZone }: { uuid: string; timeZone: string }) {
  const own = useOutboxEntries().filter(({ lead }) => lead?.uuid === uuid);
  if (own.length === 0) return null;
  return (
    <section className="flex w-full flex-col gap-3">
      <h3 className="text-sm font-semibold text-muted">Waiting to be sent</h3>
      <ol aria-label="Waiting to be sent" className="flex flex-col gap-3">
        {[...own].reverse().map(({ id, title, madeAt, state }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm [overflow-wrap:anywhere]">
            <span className="font-semibold">{title}</span>
            <time dateTime={madeAt} className="text-muted">
              {formatDateTime(madeAt, timeZone)}
            </time>
            <Badge tone={state === 'waiting' ? 'warn' : 'danger'}>
              {state === 'waiting' ? 'Waiting' : 'See outbox'}
            </Badge>
          </li>
        ))}
      </ol>
    </section>
  );
}
