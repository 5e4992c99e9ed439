import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommands } from '#web/commands/commands.ts';
import { formatCounted } from '#web/kit/format.ts';
import { toast } from '#web/kit/toasts.ts';
import { leadQuery } from '#web/leads/leads.data.ts';
import { undoBatchByToast, useOnUndone } from '#web/leads/undo.data.ts';
import { readProfile, usePrefetchedProfile } from './work.data.ts';
import {
  deleteQueue,
  findNext,
  findPosition,
  formatWork,
  markLogged,
  markOpened,
  readQueue,
  returnToUndone,
  startSecondRound,
  storeQueue,
  type WorkQueue,
} from './work-queue.ts';

/** What could not be saved has a toast of its own. */
const NOT_SAVED = new Error('not saved');

export interface Work {
  queue: WorkQueue;
  position: number;
  pending: 'move' | 'save' | undefined;
  go: (direction: 1 | -1) => void;
  /** Saves what is typed on the profile, and goes on. */
  saveAndGo: () => void;
  /** Goes on after a contact that this batch recorded; when it is undone, back to its lead. */
  goOn: (batchId: string | undefined) => void;
  stop: () => void;
}

interface Options {
  viewerId: number;
  uuid: string;
  /** Rejects, with a toast, where what is typed could not be saved. */
  save: () => Promise<void>;
}

/** Working through leads, on the profile of one of them; undefined where the lead is not in the queue. */
export function useWork({ viewerId, uuid, save }: Options): Work | undefined {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [queue, setQueue] = useState(() => readQueue(viewerId));
  const [pending, setPending] = useState<'move' | 'save'>();
  const position = queue ? findPosition(queue, uuid) : -1;
  const working = queue && position >= 0 ? queue : undefined;
  const lead = working?.leads[position];

  useEffect(() => {
    if (working) storeQueue(viewerId, markOpened(working, uuid));
  }, [viewerId, working, uuid]);
  usePrefetchedProfile(working?.leads[position + 1]?.uuid);

  const open = (next: WorkQueue, uuid: string) => {
    storeQueue(viewerId, markOpened(next, uuid));
    navigate(`/business/uuid/${uuid}`);
  };
  useOnUndone((batchId) => {
    const stored = readQueue(viewerId);
    const returned = stored && returnToUndone(stored, batchId);
    if (returned) open(returned, returned.current);
  });
  const move = async (from: WorkQueue, direction: 1 | -1, loggedBatch?: string) => {
    // Its toast replaces the one of the contact, which offered to undo it.
    const undo = loggedBatch ? { onUndo: undoBatchByToast(queries, loggedBatch) } : {};
    const left = markOpened(withLogged(from, uuid, queries), uuid);
    storeQueue(viewerId, left);
    const { next, skipped } = await findNext(left, position, direction, (uuid) => readProfile(queries, uuid));
    const skippedText = skipped.length ? `${skipped.join(', ')}.` : undefined;
    if (skippedText && next) toast({ title: 'Changed by others meanwhile', description: skippedText });
    if (next) return open(left, next.uuid);
    if (direction === -1) return;
    const again = startSecondRound(left);
    if (again) {
      const title = `Once more: ${formatCounted(again.leads.length, 'lead')} that you skipped`;
      toast({ title, ...(skippedText && { description: skippedText }), ...undo });
      return open(again, again.current);
    }
    deleteQueue(viewerId);
    toast({
      title: `Worked through ${formatCounted(left.total, 'lead')}`,
      description: [`${formatWork(left)}.`, skippedText].filter(Boolean).join(' '),
      ...undo,
    });
    navigate(left.origin);
  };
  const run = async (kind: 'move' | 'save', act: (queue: WorkQueue) => Promise<void>) => {
    const current = readQueue(viewerId) ?? working;
    if (pending || !current) return;
    setPending(kind);
    try {
      await act(current);
    } catch (error) {
      if (error !== NOT_SAVED) {
        const description = (error as Error).message;
        toast({ title: 'The next lead could not be loaded', description, tone: 'destructive' });
      }
    }
    setPending(undefined);
  };
  const go = (direction: 1 | -1) => void run('move', (current) => move(current, direction));
  const saveAndGo = () =>
    void run('save', async (current) => {
      await save().catch(() => Promise.reject(NOT_SAVED));
      await move(current, 1);
    });
  // The arrow keys scroll.
  const goByLetter = (direction: 1 | -1) => (event?: KeyboardEvent) =>
    event?.key.startsWith('Arrow') ? false : go(direction);
  useCommands({
    nextLead: working && goByLetter(1),
    previousLead: working && position > 0 && goByLetter(-1),
    saveAndNext: working && saveAndGo,
  });

  return (
    working && {
      queue: working,
      position,
      pending,
      go,
      saveAndGo,
      goOn: (batchId) =>
        void run('move', (current) =>
          move({ ...current, lastLogged: batchId && lead ? { lead, batchId } : undefined }, 1, batchId),
        ),
      stop: () => {
        deleteQueue(viewerId);
        setQueue(undefined);
      },
    }
  );
}

const withLogged = (queue: WorkQueue, uuid: string, queries: QueryClient) =>
  markLogged(queue, queries.getQueryData(leadQuery({ uuid }).queryKey));
