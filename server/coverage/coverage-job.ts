import { sql } from 'drizzle-orm';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { countFigures, STEPS } from './count-figures.sql.ts';
import { finishRefresh, lockRefresh, moveRefresh } from './coverage.sql.ts';

/** A refresh without a step for this long was interrupted and begins again. */
const MAX_PAUSE_MS = 60_000;

export type CoverageJob = ReturnType<typeof createCoverageJob>;

/** Counts the coverage in steps, each in a transaction of its own: one that is interrupted is continued by the next run. */
export function createCoverageJob({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  let running: Promise<void> | undefined;
  let stopped = false;

  async function work() {
    while (!stopped) if ((await step(db, clock)) === 'done') return;
  }

  return {
    /** Counts everything once; if that is already running, waits for it. */
    run: (): Promise<void> => {
      running ??= work()
        .catch((error) => log.warn({ err: error }, 'coverage not counted, will try again'))
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    isRunning: () => running !== undefined,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

/** One step of a refresh. Done, too, while another process is at it. */
export const step = (db: Db, clock: Clock): Promise<'more' | 'done'> =>
  db.transaction(async (tx) => {
    const state = await lockRefresh(tx);
    if (!state) return 'done';
    const now = clock();
    const runs = state.steppedAt && now.getTime() - state.steppedAt.getTime() < MAX_PAUSE_MS;
    const { startedAt, nextStep } =
      runs && state.startedAt ? { ...state, startedAt: state.startedAt } : { startedAt: now, nextStep: 0 };
    // What has no postcode is one step, however much that is. Less than the driver's limit, after which it would go on unseen.
    await tx.execute(sql`set local statement_timeout = '60s'`);
    await countFigures(tx, nextStep);
    if (nextStep + 1 < STEPS) {
      await moveRefresh(tx, { startedAt, now: clock(), nextStep: nextStep + 1 });
      return 'more';
    }
    await finishRefresh(tx, { startedAt, now: clock() });
    return 'done';
  });
