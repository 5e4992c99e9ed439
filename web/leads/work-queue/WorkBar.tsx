import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommands } from '#web/commands/commands.ts';
import { formatCount, formatCounted } from '#web/kit/format.ts';
import { toast } from '#web/kit/toasts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { leadQuery } from '#web/leads/leads.data.ts';
import { readProfile, usePrefetchedProfile } from './work.data.ts';
import {
  deleteQueue,
  findNext,
  findPosition,
  formatWork,
  markLogged,
  markOpened,
  readQueue,
  storeQueue,
  type WorkQueue,
} from './work-queue.ts';

/** What could not be saved has a toast of its own. */
const NOT_SAVED = new Error('not saved');

interface Props {
  viewerId: number;
  uuid: string;
  /** Saves what is typed on the profile. Rejects, with a toast, where that fails. */
  save: () => Promise<void>;
}

/** On the profile of a lead that is being worked through: where it is among the others, and the way to them. */
export function WorkBar({ viewerId, uuid, save }: Props) {
  const [queue, setQueue] = useState(() => readQueue(viewerId));
  const position = queue ? findPosition(queue, uuid) : -1;
  if (!queue || position < 0) return null;
  const stop = () => {
    deleteQueue(viewerId);
    setQueue(undefined);
  };
  return <Bar viewerId={viewerId} queue={queue} position={position} save={save} onStop={stop} />;
}

interface BarProps {
  viewerId: number;
  queue: WorkQueue;
  position: number;
  save: () => Promise<void>;
  onStop: () => void;
}

function Bar({ viewerId, queue, position, save, onStop }: BarProps) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [pending, setPending] = useState<'move' | 'save'>();
  const count = queue.leads.length;
  const uuid = queue.leads[position]?.uuid ?? '';
  const following = queue.leads[position + 1]?.uuid;

  useEffect(() => storeQueue(viewerId, markOpened(queue, uuid)), [viewerId, queue, uuid]);
  usePrefetchedProfile(following);

  const move = async (direction: 1 | -1) => {
    const left = markLogged(queue, queries.getQueryData(leadQuery({ uuid }).queryKey));
    storeQueue(viewerId, markOpened(left, uuid));
    const { next, skipped } = await findNext(queue, position, direction, (uuid) => readProfile(queries, uuid));
    const skippedText = skipped.length ? `${skipped.join(', ')}.` : undefined;
    if (next) {
      if (skippedText) toast({ title: 'Changed by others meanwhile', description: skippedText });
      navigate(`/business/uuid/${next.uuid}`);
    } else if (direction === 1) {
      deleteQueue(viewerId);
      toast({
        title: `Worked through ${formatCounted(count, 'lead')}`,
        description: [`${formatWork(left)}.`, skippedText].filter(Boolean).join(' '),
      });
      navigate(queue.origin);
    }
  };
  const run = async (kind: 'move' | 'save', act: () => Promise<void>) => {
    if (pending) return;
    setPending(kind);
    try {
      await act();
    } catch (error) {
      if (error !== NOT_SAVED) {
        const description = (error as Error).message;
        toast({ title: 'The next lead could not be loaded', description, tone: 'destructive' });
      }
    }
    setPending(undefined);
  };
  const go = (direction: 1 | -1) => void run('move', () => move(direction));
  const saveAndGo = () =>
    void run('save', async () => {
      await save().catch(() => Promise.reject(NOT_SAVED));
      await move(1);
    });
  // The arrow keys scroll.
  const goByLetter = (direction: 1 | -1) => (event?: KeyboardEvent) =>
    event?.key.startsWith('Arrow') ? false : go(direction);
  useCommands({
    nextLead: goByLetter(1),
    previousLead: position > 0 && goByLetter(-1),
    saveAndNext: saveAndGo,
  });

  return (
    <section
      aria-label="Work through leads"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-4 py-2 shadow-card"
    >
      <p className="min-w-0 flex-1 text-sm">
        <span className="font-semibold">
          {formatCount(position + 1)} of {formatCount(count)}
        </span>{' '}
        <span className="text-muted">{queue.title}</span>
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
        <IconButton size="sm" icon={X} label="Stop working through" onClick={onStop} />
      </div>
    </section>
  );
}
