import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OutboxEntry } from '#contract/outbox/entry.ts';
import { flushOutbox } from '#web/kit/outbox/flush.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Sheet } from '#web/kit/ui/overlays/Sheet.tsx';
import { EntryItem } from './EntryItem.tsx';
import { sentHandler } from './outbox.data.ts';

interface Props {
  entries: readonly OutboxEntry[];
  onClose: () => void;
}

/** What waits, in the order in which it is sent. */
export function OutboxSheet({ entries, onClose }: Props) {
  const queries = useQueryClient();
  const list = useRef<HTMLDivElement>(null);
  const [sending, setSending] = useState(false);
  const isWaiting = entries.some(({ state }) => state === 'waiting');
  const sendNow = async () => {
    setSending(true);
    await flushOutbox({ queries, onSent: sentHandler(queries) }, { now: true });
    setSending(false);
  };
  /** The pressed button disappears with its entry. */
  const focusList = () => list.current?.focus({ preventScroll: true });
  return (
    <Sheet
      title="Outbox"
      description="What you did without a connection. It is kept on this device, and sent by itself, in this order, when there is one."
      // The list itself is longer than the window, which would scroll to its end.
      initialFocus={() => list.current?.querySelector('button') ?? list.current}
      onClose={onClose}
    >
      <div ref={list} tabIndex={-1} className="flex flex-col gap-4">
        {entries.length === 0 && <p role="status">Nothing waits to be sent.</p>}
        {entries.length > 0 && (
          <ol aria-label="Waiting" className="flex flex-col divide-y divide-line">
            {entries.map((entry) => (
              <EntryItem key={entry.id} entry={entry} onClose={onClose} onDone={focusList} />
            ))}
          </ol>
        )}
        {isWaiting && (
          <Button className="max-sm:w-full sm:self-end" busy={sending} onClick={() => void sendNow()}>
            Send now
          </Button>
        )}
      </div>
    </Sheet>
  );
}
