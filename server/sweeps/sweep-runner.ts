import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#contract/errors.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Database } from '#server/kit/db/open.ts';
import type { Logger } from '#server/kit/log.ts';
import type { Places } from '#server/places/search-places.ts';
import { runSweep } from './run-sweep.ts';
import { SweepHalted } from './sweep-halted.ts';
import { sweepLock } from './sweep-lock.ts';
import { type SweepRecord, stopEarlierRuns } from './sweeps.sql.ts';

export type SweepRunner = ReturnType<typeof createSweepRunner>;

interface RunnerOptions {
  database: Database;
  places: Places;
  clock: Clock;
  log: Logger;
  closing: AbortSignal;
}

/** The lock of a sweep that has just ended is released a moment later. */
const RELEASE_MS = [20, 50, 100, 200, 400];

/** Runs the sweeps of this process, one at a time over all processes. */
export function createSweepRunner({ database, places, clock, log, closing }: RunnerOptions) {
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>();
  closing.addEventListener('abort', () => {
    for (const { controller } of running.values()) controller.abort(new SweepHalted());
  });

  return {
    /** Prepares a sweep under the lock, and runs it in the background. Refuses while another one is running. */
    async start(prepare: () => Promise<SweepRecord>): Promise<SweepRecord> {
      const unlock = await lockWhenEnded(database);
      if (!unlock)
        throw new Refusal('sweep_running', 'Another sweep is running. Wait until it has ended, or pause it.');
      let sweep: SweepRecord;
      try {
        await stopEarlierRuns(database.db);
        sweep = await prepare();
      } catch (error) {
        await unlock();
        throw error;
      }
      const controller = new AbortController();
      if (closing.aborted) controller.abort(new SweepHalted());
      const context = { db: database.db, places, clock, log, signal: controller.signal, wait };
      const ended = (async () => {
        try {
          await runSweep(sweep, context);
        } catch (error) {
          log.error({ err: error }, 'the end of a sweep was not written down');
        }
        running.delete(sweep.id);
        await unlock();
      })();
      running.set(sweep.id, { controller, ended });
      return sweep;
    },

    /** Stops the sweep if it is in this process; another process finds the request in the sweep's row. */
    halt: (id: string) => running.get(id)?.controller.abort(new SweepHalted()),

    /** After `closing`: the sweeps have stopped after the call that was under way. */
    stopped: async () => {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

async function lockWhenEnded(database: Database) {
  for (const delayMs of RELEASE_MS) {
    const unlock = await sweepLock.acquire(database);
    if (unlock) return unlock;
    await sleep(delayMs);
  }
  return sweepLock.acquire(database);
}

async function wait(ms: number, signal: AbortSignal) {
  // Rejects with an AbortError of its own.
  await sleep(ms, undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
}
