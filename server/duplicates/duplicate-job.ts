import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { compareBusinesses, markComplete } from './compare-businesses.ts';
import { refreshKeys } from './refresh-keys.ts';

const INTERVAL_MS = 10_000;
/** The longest that one run takes, so that a large import does not keep the database busy for minutes. */
const RUN_MS = 2_000;

/** Looks for duplicates in small steps. Every process runs it; rows that another one compares are skipped. */
export function createDuplicateJob({ db, log }: { db: Db; log: Logger }) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function work() {
    const end = Date.now() + RUN_MS;
    while (!stopped && Date.now() < end) {
      if (await findDuplicates(db)) return;
    }
  }

  /** One run; if that is already running, waits for it. */
  function run(): Promise<void> {
    running ??= work()
      .catch((error) => log.warn({ err: error }, 'duplicates not looked for, will try again'))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    run,
    start: () => {
      timer = setInterval(() => void run(), INTERVAL_MS);
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** One step. Returns whether everything is compared. */
export async function findDuplicates(db: Db): Promise<boolean> {
  const { done } = await refreshKeys(db);
  const compared = await compareBusinesses(db);
  if (!done || compared) return false;
  await markComplete(db);
  return true;
}
