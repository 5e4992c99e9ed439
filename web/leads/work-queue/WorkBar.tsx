import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import type { Work } from './use-work.ts';

/** Where a lead is among those that are being worked through, and the way to the others. */
export function WorkBar({ work: { queue, position, pending, go, saveAndGo, stop } }: { work: Work }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 truncate text-sm">
        <span className="font-semibold">
          {formatCount(position + 1)} of {formatCount(queue.leads.length)}
        </span>{' '}
        <span className="text-muted">{queue.round === 2 ? `${queue.title}, once more` : queue.title}</span>
      </p>
      <div className="flex items-center gap-1">
        <IconButton
          size="sm"
          icon={ChevronLeft}
          label="Previous lead"
          disabled={position === 0}
          onClick={() => go(-1)}
        />
        <IconButton size="sm" icon={ChevronRight} label="Next lead" busy={pending === 'move'} onClick={() => go(1)} />
        <Button size="sm" busy={pending === 'save'} onClick={saveAndGo}>
          Save &amp; next
        </Button>
        <IconButton size="sm" icon={X} label="Stop working through" onClick={stop} />
      </div>
    </div>
  );
}
