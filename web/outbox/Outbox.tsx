import { useQueryClient } from '@tanstack/react-query';
import { CloudUpload } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { onDeviceUnlocked } from '#web/kit/device/device.ts';
import { openDevice } from '#web/kit/device/device-store.ts';
import { flushOutbox, keepFlushing } from '#web/kit/outbox/flush.ts';
import { closeOutbox, openOutbox, useOutboxEntries } from '#web/kit/outbox/outbox.ts';
import { OutboxSheet } from './OutboxSheet.tsx';
import { sentHandler } from './outbox.data.ts';

/** What the viewer did without a connection, in the header while there is something. It is sent from here, too. */
export function Outbox() {
  const { id } = useViewer();
  const queries = useQueryClient();
  const entries = useOutboxEntries();
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const options = { queries, onSent: sentHandler(queries) };
    const start = async () => {
      await openOutbox(id, openDevice);
      await flushOutbox(options);
    };
    void start();
    const stopOpening = onDeviceUnlocked(() => void start());
    const stopFlushing = keepFlushing(options);
    return () => {
      stopOpening();
      stopFlushing();
      closeOutbox();
    };
  }, [id, queries]);

  // The sheet stays where the last entry was sent or discarded in it.
  if (entries.length === 0 && !open) return null;
  const needsUser = entries.some(({ state }) => state !== 'waiting');
  return (
    <>
      <button
        type="button"
        aria-label={`Outbox (${entries.length})`}
        onClick={() => setOpen(true)}
        className={`relative inline-flex h-11 min-w-11 items-center justify-center gap-1 rounded-md px-2 text-sm font-semibold tabular-nums wide:h-8 wide:min-w-8 wide:px-1.5 [&>svg]:size-4.5 ${
          needsUser ? 'bg-danger-soft text-danger-text' : 'bg-warn-soft text-warn-text'
        }`}
      >
        <CloudUpload aria-hidden="true" />
        <span aria-hidden="true" className="max-[24rem]:hidden wide:hidden">
          Outbox ({entries.length})
        </span>
        {/* Where the header has no room for words. */}
        <span
          aria-hidden="true"
          className="absolute -top-1 -right-1 hidden min-w-4 rounded-full bg-danger px-1 text-center text-xs text-on-danger max-[24rem]:block wide:block"
        >
          {entries.length}
        </span>
      </button>
      {open && <OutboxSheet entries={entries} onClose={() => setOpen(false)} />}
    </>
  );
}
