import type { OutboxEntry } from '#contract/outbox/entry.ts';
import { changeEntry, discardEntry } from '#web/kit/outbox/outbox.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { readConflict } from './conflict.ts';

interface Props {
  entry: OutboxEntry;
  formatMoment: (moment: string) => string;
  onDone: () => void;
}

/** Both values side by side, as notes show them: nothing is lost until the user has decided. */
export function EntryConflict({ entry, formatMoment, onDone }: Props) {
  const conflict = readConflict(entry, formatMoment);
  const act = (work: Promise<unknown>) => void work.finally(onDone);
  const keep = (kept: OutboxEntry) => act(changeEntry(entry.id, () => kept));
  return (
    <div className="flex flex-col gap-2">
      <div className="grid gap-2 sm:grid-cols-2">
        <Value label="Saved meanwhile" text={conflict?.saved ?? ''} />
        <Value label="Yours" text={conflict?.mine ?? ''} />
      </div>
      <div className="flex flex-wrap gap-2">
        {conflict?.keepBoth && (
          <Button size="sm" onClick={() => conflict.keepBoth && keep(conflict.keepBoth)}>
            Keep both
          </Button>
        )}
        {conflict && (
          <Button variant="secondary" size="sm" onClick={() => keep(conflict.keepMine)}>
            Keep mine
          </Button>
        )}
        <Button variant="secondary" size="sm" onClick={() => act(discardEntry(entry.id))}>
          Keep what is saved
        </Button>
      </div>
    </div>
  );
}

function Value({ label, text }: { label: string; text: string }) {
  return (
    <div className="rounded-md border border-line bg-sunken px-3 py-2">
      <p className="text-xs font-medium text-muted">{label}</p>
      <p className="max-h-32 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">{text || 'Empty'}</p>
    </div>
  );
}
