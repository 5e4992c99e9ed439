import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/kit/log.ts';
import type { Postmaster } from './postmaster.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/** Keeps a server running until it is closed: one that ends is started again, with growing pauses while that fails. */
export async function superviseServer(start: () => Promise<Postmaster>, log: Log): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  let current: Postmaster | undefined = await start();
  const supervision = keepRunning();

  async function keepRunning() {
    let failedStarts = 0;
    while (!closing.signal.aborted) {
      await current?.exited;
      if (closing.signal.aborted) return;
      if (current) log.error('PostgreSQL ended unexpectedly; starting it again');
      const delay = Math.min(FIRST_PAUSE_MS * 2 ** failedStarts, MAX_PAUSE_MS);
      await pause(delay, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      try {
        current = await start();
        failedStarts = 0;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL was not started; trying again');
        current = undefined;
        failedStarts += 1;
      }
    }
  }

  return {
    close: async () => {
      closing.abort();
      await current?.stop();
      await supervision;
      await current?.stop(); // one that was being started meanwhile
    },
  };
}
