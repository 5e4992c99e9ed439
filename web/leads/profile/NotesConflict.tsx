import { Button } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';

interface Props {
  theirs: string;
  onBoth: () => void;
  onMine: () => void;
  onTheirs: () => void;
}

/** Two people wrote at once. Both texts are in sight until one of them has decided. */
export function NotesConflict({ theirs, onBoth, onMine, onTheirs }: Props) {
  return (
    <section aria-label="Notes conflict" className="flex flex-col gap-4">
      <Notice tone="danger">
        <p className="font-semibold">Somebody else has changed these notes meanwhile.</p>
        <p>Nothing is lost: below are the saved notes, then yours. Decide what to keep.</p>
      </Notice>
      <div>
        <h3 className="mb-1.5 text-sm font-medium">Saved notes</h3>
        <div className="max-h-64 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2">
          {theirs.trim() === '' ? (
            <p className="text-muted">The notes were emptied.</p>
          ) : (
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{theirs}</p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onBoth}>Keep both</Button>
        <Button variant="secondary" onClick={onMine}>
          Keep mine
        </Button>
        <Button variant="secondary" onClick={onTheirs}>
          Keep saved notes
        </Button>
      </div>
    </section>
  );
}
