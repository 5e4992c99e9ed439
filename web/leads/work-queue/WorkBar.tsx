import { ArrowLeft, ChevronLeft, ChevronRight, X } from 'lucide-react';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import type { Work } from './use-work.ts';

interface Props {
  work: Work;
  /** To where the lead was opened. */
  back?: { label: string; goBack: () => void };
}

/** Where a lead is among those that are being worked through, and the way to the others. */
export function WorkBar({ work: { queue, position, pending, go, saveAndGo, stop }, back }: Props) {
  return (
    <div className="flex items-center gap-x-1 sm:gap-x-3">
      {back && <IconButton icon={ArrowLeft} label={back.label} className="-ml-2" onClick={back.goBack} />}
      <p className="min-w-0 flex-1 truncate text-sm">
        <span className="font-semibold">
          {formatCount(position + 1)} of {formatCount(queue.leads.length)}
        </span>{' '}
        <span className="text-muted">{queue.round === 2 ? `${queue.title}, once more` : queue.title}</span>
      </p>
      <div className="flex items-center gap-1">
        <IconButton icon={ChevronLeft} label="Previous lead" disabled={position === 0} onClick={() => go(-1)} />
        <IconButton icon={ChevronRight} label="Next lead" busy={pending === 'move'} onClick={() => go(1)} />
        {/* What is typed is kept as a draft, so that a phone has room for the number. */}
        <Button size="sm" className="max-sm:hidden" busy={pending === 'save'} onClick={saveAndGo}>
          Save &amp; next
        </Button>
        <IconButton icon={X} label="Stop working through" className="max-sm:-mr-2" onClick={stop} />
      </div>
    </div>
  );
}
