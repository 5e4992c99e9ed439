import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { insertOwnJobs, readPause } from './jobs.sql.ts';

/** How soon a job goes on whose process has ended, and one is seen that another process has started. */
const MAX_PAUSE_MS = 5_000;

interface Options {
  db: Db;
  log: Logger;
  kinds: string[];
  /** Those that the product does by itself. */
  repeated: string[];
  /** A job is due, too, while another process does a step of it. */
  minPauseMs: number;
  /** False if no job of these kinds is due. */
  runNextStep: (kinds: string[]) => Promise<boolean>;
}

/** Runs the jobs of some kinds, one step after the other. Lanes of a process run side by side. */
export function createLane({ db, log, kinds, repeated, minPauseMs, runNextStep }: Options) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let requested = false;
  let started = false;
  let inserted = false;
  let stopped = false;

  async function runRequested() {
    clearTimeout(timer);
    let pauseMs = MAX_PAUSE_MS;
    try {
      while (requested && !stopped) {
        requested = false;
        if (started && !inserted) await insertOwnJobs(db, repeated);
        inserted = started;
        while (!stopped && (await runNextStep(kinds)));
        pauseMs = await readPause(db, kinds, MAX_PAUSE_MS);
      }
    } catch (error) {
      log.warn({ err: error }, 'jobs were interrupted, will go on');
    }
    running = undefined;
    if (started && !stopped) timer = setTimeout(() => void run(), Math.max(pauseMs, minPauseMs));
  }

  /** Runs what is due; if that is running, looks once more after that, because it may have passed what is due now. */
  function run(): Promise<void> {
    requested = true;
    running ??= runRequested();
    return running;
  }

  return {
    run,
    /** From now on without being asked, the repeated ones included. */
    start: () => {
      started = true;
      void run();
    },
    /** After the step that is running. */
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
