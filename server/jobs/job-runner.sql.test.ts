import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import type { Database } from '#server/kit/db/open.ts';
import { jobs } from '#server/schema/jobs.ts';
import { freshDatabase, quiet } from '#server/testing/databases.ts';
import { defineJob, type JobKind } from './job-kind.ts';
import { createJobRunner, type JobRunner } from './job-runner.ts';
import { insertOwnJobs, lockJob, startOwnJob, wakeJob } from './jobs.sql.ts';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const runners: JobRunner[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  await database.db.delete(jobs);
});
function createRunner(...kinds: JobKind[]) {
  const runner = createJobRunner({ db: database.db, log: quiet as never, kinds });
  runners.push(runner);
  return runner;
}
const readJob = async (kind: string) => (await database.db.select().from(jobs).where(eq(jobs.kind, kind)))[0];

/** Counts from 0 to `end`, a number a step. */
function counting(kind: string, end: number, options: Partial<JobKind> = {}) {
  const counted: number[] = [];
  const job = defineJob<{ next?: number }>({
    kind,
    step: async (_, { input: { next = 0 } }) => {
      counted.push(next);
      return next === end ? { end: true } : { input: { next: next + 1 } };
    },
    ...(options as object),
  });
  return { counted, job };
}

test('jobs take turns, step by step', async () => {
  const order: string[] = [];
  const kinds = ['one', 'two'].map((kind) =>
    defineJob<{ next?: number }>({
      kind,
      step: async (_, { input: { next = 0 } }) => {
        order.push(`${kind} ${next}`);
        return { input: { next: next + 1 }, end: next === 2 };
      },
    }),
  );
  await insertOwnJobs(database.db, ['one']);
  await insertOwnJobs(database.db, ['two']);
  await createRunner(...kinds).run();
  expect(order).toEqual(['one 0', 'two 0', 'one 1', 'two 1', 'one 2', 'two 2']);
  expect(await database.db.$count(jobs), 'their rows are deleted').toBe(0);
});

test('a job with long steps runs beside the others, in one process at a time', async () => {
  const release: (() => void)[] = [];
  const slow = defineJob<object>({
    kind: 'slow',
    longSteps: true,
    step: async () => {
      await new Promise<void>((resolve) => void release.push(resolve));
      return { end: true };
    },
  });
  const { counted, job } = counting('quick', 3);
  const [one, two] = [createRunner(slow, job), createRunner(slow, job)];
  await insertOwnJobs(database.db, ['slow', 'quick']);
  const running = one.run();
  await expect.poll(() => release.length, { timeout: 10_000 }).toBe(1);
  await two.run();
  expect(release, 'its step is under way').toHaveLength(1);
  expect(await readJob('slow')).toMatchObject({ state: 'running' });
  await expect.poll(() => counted.length, { timeout: 10_000 }).toBe(4);
  release[0]?.();
  await running;
  expect(await database.db.$count(jobs)).toBe(0);
});

test('one of the product has an end, too, with the reason why it was stopped', async () => {
  const ends: unknown[] = [];
  const reason = new Refusal('not_found', 'Nothing there');
  const job = defineJob<object>({
    kind: 'ending',
    step: async () => {
      throw reason;
    },
    onEnd: async (_, { state, message }, why) => void ends.push({ state, message, why }),
  });
  await insertOwnJobs(database.db, ['ending']);
  await createRunner(job).run();
  expect(ends).toEqual([{ state: 'stopped', message: 'Nothing there', why: reason }]);
  expect(await database.db.$count(jobs)).toBe(0);
});

test('a job that waits is woken, and one whose step is under way is left to it', async () => {
  const { counted, job } = counting('woken', 0);
  const later = new Date(Date.now() + 60_000).toISOString();
  const id = randomUUID();
  expect(await startOwnJob(database.db, { id, kind: 'woken', runAt: later })).toBe(true);
  expect(await startOwnJob(database.db, { id: randomUUID(), kind: 'woken' }), 'one at a time').toBe(false);
  const runner = createRunner(job);
  await runner.run();
  expect(counted).toEqual([]);
  await database.db.transaction(async (tx) => {
    await lockJob(tx, { id, userId: null });
    await wakeJob(database.db, id);
  });
  expect((await readJob('woken'))?.runAt).toBe(later);
  await wakeJob(database.db, id);
  await runner.run();
  expect(counted).toEqual([0]);
});

test('of several processes each does other steps', async () => {
  const { counted, job } = counting('shared', 40);
  await insertOwnJobs(database.db, ['shared']);
  const processes = [createRunner(job), createRunner(job), createRunner(job)];
  await Promise.all(processes.map((each) => each.run()));
  await processes[0]?.run();
  expect(counted).toEqual(Array.from({ length: 41 }, (_, nth) => nth));
});

test('a repeated job starts again after its interval, in one process only, and is retried after a failure', async () => {
  let runs = 0;
  const job = defineJob<object>({
    kind: 'repeated',
    everyMs: 60_000,
    step: async () => {
      runs += 1;
      if (runs === 2) throw new Refusal('not_found', 'Nothing there');
      return { end: true };
    },
  });
  for (const runner of [createRunner(job), createRunner(job)]) runner.start();
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(1);
  const [runner] = runners as [JobRunner];
  await runner.run();
  expect(runs, 'not before its time').toBe(1);
  const dueIn = async () => Date.parse((await readJob('repeated'))?.runAt ?? '') - Date.now();
  expect(await dueIn()).toBeGreaterThan(50_000);

  const makeDue = () => database.db.update(jobs).set({ runAt: new Date(0).toISOString() });
  await makeDue();
  await runner.run();
  expect(await readJob('repeated')).toMatchObject({ state: 'running', tries: 1, lastError: 'Nothing there' });
  expect(await dueIn(), 'a short pause').toBeLessThan(10_000);
  await makeDue();
  await runner.run();
  expect(runs).toBe(3);
  expect(await readJob('repeated')).toMatchObject({ state: 'running', tries: 0, lastError: null });
});

test('a step that fails changes nothing, and is done again after a pause', async () => {
  let fail = true;
  const job = defineJob<object>({
    kind: 'failing',
    step: async (tx) => {
      await tx.insert(jobs).values({ id: randomUUID(), kind: 'written by the step', state: 'done' });
      if (fail) throw new Error('a fault');
      return { end: true };
    },
  });
  const runner = createRunner(job);
  await insertOwnJobs(database.db, ['failing']);
  await runner.run();
  const lastError = 'An unexpected error; the log has the details.';
  expect(await readJob('failing')).toMatchObject({ state: 'running', tries: 1, lastError });
  expect(await readJob('written by the step')).toBeUndefined();
  fail = false;
  await database.db.update(jobs).set({ runAt: new Date(0).toISOString() });
  await runner.run();
  expect(await readJob('written by the step')).toBeDefined();
});

test('a job of a newer version is left to it', async () => {
  await insertOwnJobs(database.db, ['newer']);
  await createRunner(counting('older', 1).job).run();
  expect(await readJob('newer')).toMatchObject({ state: 'running', tries: 0 });
});

test('a job with a pause is woken when it is over, without being asked', async () => {
  const times: number[] = [];
  const job = defineJob<object>({
    kind: 'paused',
    step: async () => {
      times.push(Date.now());
      return times.length < 3 ? { pauseMs: 100 } : { end: true };
    },
  });
  const runner = createRunner(job);
  await insertOwnJobs(database.db, ['paused']);
  runner.start();
  await expect.poll(() => times.length, { timeout: 10_000 }).toBe(3);
  for (const [nth, time] of times.slice(1).entries()) expect(time - (times[nth] as number)).toBeGreaterThanOrEqual(95);
});
