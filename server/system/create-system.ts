import { findProblems } from '#contract/system/problems.ts';
import type { SystemStatus } from '#contract/system/system.calls.ts';
import { defineJob } from '#server/jobs/job-kind.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { notifyAdmins } from './notify-admins.ts';
import { type FactSources, readFacts } from './read-facts.ts';
import { listNoticed, storeProblems, storeSize } from './system.sql.ts';

const INTERVAL_MS = 60_000;

interface Options extends Omit<FactSources, 'startedAt'> {
  clock: Clock;
}

export type System = ReturnType<typeof createSystem>;

/** What is known of this installation, and the job that notices what needs hands. */
export function createSystem({ clock, ...sources }: Options) {
  const startedAt = clock().toISOString();

  async function readProblems(db: Db) {
    const now = clock();
    const facts = await readFacts(db, { ...sources, startedAt }, now);
    return { facts, problems: findProblems(facts, now), now };
  }

  const job = defineJob<object>({
    kind: 'system',
    everyMs: INTERVAL_MS,
    step: async (tx) => {
      const { problems, now } = await readProblems(tx);
      await storeSize(tx, now);
      const added = await storeProblems(
        tx,
        problems.map(({ key }) => key),
        now,
      );
      await notifyAdmins(
        tx,
        problems.filter(({ key }) => added.includes(key)),
      );
      return { end: true };
    },
  });

  return {
    job,
    readProblems: async (db: Db) => (await readProblems(db)).problems,
    /** Changes nothing: it works while the disk is full, too. */
    readStatus: async (db: Db): Promise<SystemStatus> => {
      const { facts, problems } = await readProblems(db);
      const noticed = new Map((await listNoticed(db)).map(({ key, since }) => [key, since]));
      return { ...facts, problems: problems.map((each) => ({ ...each, since: noticed.get(each.key) ?? null })) };
    },
  };
}
