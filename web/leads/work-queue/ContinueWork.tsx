import { useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { deleteQueue, findPosition, readQueue } from './work-queue.ts';

/** Leads back to a queue that was interrupted. */
export function ContinueWork() {
  const viewer = useViewer();
  const [queue, setQueue] = useState(() => readQueue(viewer.id));
  if (!queue) return null;
  const stop = () => {
    deleteQueue(viewer.id);
    setQueue(undefined);
  };
  return (
    <section
      aria-label="Leads being worked through"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <p className="min-w-0 flex-1 text-sm">
        <span className="font-semibold">{queue.title}:</span> you are at{' '}
        {formatCount(findPosition(queue, queue.current) + 1)} of {formatCount(queue.leads.length)}.
      </p>
      <div className="flex gap-2">
        <ButtonLink size="sm" href={`/business/uuid/${queue.current}`}>
          Continue
        </ButtonLink>
        <Button size="sm" variant="secondary" onClick={stop}>
          Stop
        </Button>
      </div>
    </section>
  );
}
