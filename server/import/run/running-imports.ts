import { Refusal } from '#contract/errors.ts';
import { ImportCancelled } from './import-results.ts';

export type RunningImports = ReturnType<typeof createRunningImports>;

/** What this process is importing or checking now. */
export function createRunningImports(closing: AbortSignal) {
  const running = new Map<string, { controller: AbortController; ended: Promise<unknown> }>();

  return {
    /** Runs work that stops between two batches when its signal is aborted. */
    async run<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const controller = new AbortController();
      const shutDown = () => controller.abort(new Refusal('shutting_down', 'The server is being restarted.'));
      closing.addEventListener('abort', shutDown);
      if (closing.aborted) shutDown();
      const ended = work(controller.signal).finally(() => {
        closing.removeEventListener('abort', shutDown);
        running.delete(id);
      });
      running.set(id, { controller, ended: ended.catch(() => {}) });
      return ended;
    },

    isRunning: () => running.size > 0,

    /** At once if it is in this process; another process finds the request in the import's row. */
    cancel: (id: string) => running.get(id)?.controller.abort(new ImportCancelled()),

    /** After `closing`: they have stopped after their current batch. */
    stopped: async () => {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
