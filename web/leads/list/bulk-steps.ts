import { createContext } from 'react';
import { type BulkResults, MAX_BULK } from '#contract/leads/lead-lists.calls.ts';
import { newIdempotencyKey, newUuid } from '#web/kit/api.ts';

/** Of an action in one or more steps. */
export interface BulkOutcome extends BulkResults {
  /** The batch of changes that undoes all steps. */
  batchId: string | undefined;
  /** Why not all steps were sent. */
  stopped: string | undefined;
}

export interface StepProgress {
  /** Called after each step, with the number of leads so far. */
  onProgress: (done: number) => void;
  onEnd: () => void;
  /** No further step is sent once it is aborted; the one being sent is completed. */
  signal: AbortSignal;
}

/** Shows the progress of an action in several steps. */
export const BulkProgressContext = createContext<(total: number) => StepProgress>(() => ({
  onProgress: () => {},
  onEnd: () => {},
  signal: new AbortController().signal,
}));

export function splitIds(ids: number[]): number[][] {
  const parts: number[][] = [];
  for (let from = 0; from < ids.length; from += MAX_BULK) parts.push(ids.slice(from, from + MAX_BULK));
  return parts;
}

type SendStep<S> = (step: S, idempotencyKey: string) => Promise<BulkResults & { batchId: string | undefined }>;

/** Sends one step after the other as one batch of changes. What was changed before a failed step stays, and can be undone. */
export async function runSteps<S extends { ids: number[] }>(
  steps: S[],
  { onProgress, onEnd, signal }: StepProgress,
  send: SendStep<S & { batch: string }>,
): Promise<BulkOutcome> {
  const batch = newUuid();
  const outcome: BulkOutcome = {
    results: { success: 0, failed: 0, errors: [] },
    batchId: undefined,
    stopped: undefined,
  };
  const { results } = outcome;
  try {
    for (const step of steps) {
      if (signal.aborted) return { ...outcome, stopped: 'Cancelled before all were changed' };
      const sent = await send({ ...step, batch }, newIdempotencyKey());
      results.success += sent.results.success;
      results.failed += sent.results.failed;
      results.errors.push(...sent.results.errors);
      outcome.batchId ??= sent.batchId;
      onProgress(results.success + results.failed);
    }
    return outcome;
  } catch (error) {
    if (results.success === 0) throw error;
    return { ...outcome, stopped: `Stopped before all were changed: ${(error as Error).message}` };
  } finally {
    onEnd();
  }
}
