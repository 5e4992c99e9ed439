import type { JobKind, Step } from '#server/jobs/job-kind.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { TestApp } from './test-app.ts';

/** Does a job that the product does by itself, once, without its row: whenever it is due, and beside other tests. */
export async function runToEnd(db: Db, { step }: JobKind, onStep = () => {}) {
  let input: unknown = {};
  for (let ended = false; !ended; ) {
    const done: Step<unknown> = await db.transaction((tx) => step(tx, { input } as never));
    onStep();
    input = done.input ?? input;
    ended = done.end ?? false;
  }
}

/** As `runToEnd`, for a job of this process, with its clock. */
export async function runOwnJob({ db, app }: TestApp, name: 'reminders' | 'housekeeping' | 'system') {
  const kind = app.jobKinds.find(({ kind }) => kind === name);
  if (!kind) throw new Error(`There is no job ${name}`);
  await runToEnd(db, kind);
}
