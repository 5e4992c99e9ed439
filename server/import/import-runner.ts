import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#contract/errors.ts';
import type { Database } from '#server/kit/db/open.ts';
import { importLock } from './import-lock.ts';
import { ImportCancelled } from './import-results.ts';
import { findActive } from './imports.sql.ts';
import { stopEarlierRuns } from './stop-interrupted.ts';

export type ImportRunner = ReturnType<typeof createImportRunner>;

/** Runs the imports and dry runs of this process, one at a time over all processes. */
export function createImportRunner(database: Database, closing: AbortSignal) {
  const running = new Map<string, { controller: AbortController; ended: Promise<unknown> }>();

  return {
    /** The lock of a run; refuses while another import has it. */
    async lock(): Promise<() => Promise<void>> {
      const unlock = await lockWhenEnded(database);
      if (!unlock) throw new Refusal('import_running', 'Another import is running. Please wait until it has finished.');
      try {
        await stopEarlierRuns(database.db);
        return unlock;
      } catch (error) {
        await unlock();
        throw error;
      }
    },

    /** Runs the work, which stops between batches when its signal is aborted, and then unlocks. */
    async run<T>(id: string, unlock: () => Promise<void>, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const controller = new AbortController();
      const shutDown = () => controller.abort(new Refusal('shutting_down', 'The server is being restarted.'));
      closing.addEventListener('abort', shutDown);
      if (closing.aborted) shutDown();
      const ended = (async () => {
        try {
          return await work(controller.signal);
        } finally {
          closing.removeEventListener('abort', shutDown);
          running.delete(id);
          await unlock();
        }
      })();
      running.set(id, { controller, ended: ended.catch(() => {}) });
      return ended;
    },

    /** Stops the import if it is in this process; another process finds the request in the import's row. */
    cancel: (id: string) => running.get(id)?.controller.abort(new ImportCancelled()),

    /** After `closing`: the imports have stopped after their current batch. */
    stopped: async () => {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** The lock of an import that has just ended is released a moment later. */
async function lockWhenEnded(database: Database) {
  for (const delayMs of [20, 50, 100, 200, 400]) {
    const unlock = await importLock.acquire(database);
    if (unlock || (await findActive(database.db)).length) return unlock;
    await wait(delayMs);
  }
  return importLock.acquire(database);
}
