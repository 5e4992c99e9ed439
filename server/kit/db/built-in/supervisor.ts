import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/kit/db/log.ts';
import type { Postmaster } from './postmaster.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** A server that ran for this long starts again at once, however often it has failed before. */
const HEALTHY_MS = 60_000;

/** Keeps a server running until it is closed: one that ends is started again, with growing pauses while that fails. */
export async function superviseServer(start: () => Promise<Postmaster>, log: Log): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  let current: Postmaster | undefined = await start();
  const supervision = keepRunning();

  async function keepRunning() {
    let failures = 0;
    let startedAt = Date.now();
    while (!closing.signal.aborted) {
      await current?.exited;
      current = undefined;
      if (closing.signal.aborted) return;
      failures = Date.now() - startedAt > HEALTHY_MS ? 0 : failures + 1;
      log.error({ failures }, 'PostgreSQL ended unexpectedly; starting it again');
      const delay = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
      await pause(delay, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      startedAt = Date.now();
      current = await start().catch((error: unknown) => {
        log.error({ err: error }, 'PostgreSQL was not started');
        return undefined;
      });
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
