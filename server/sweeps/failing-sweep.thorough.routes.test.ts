import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { getSweep } from '#contract/sweeps/sweeps.calls.ts';
import { jobs } from '#server/schema/jobs.ts';
import { continueToEnd, startSweep, withId } from '#server/testing/sweeps.ts';
import { testApp } from '#server/testing/test-app.ts';

test('a sweep whose step fails is repeated after a pause, and ends after ten tries with a reason', async () => {
  const t = await testApp({ ownDatabase: true });
  const admin = await t.user('admin');
  await t.db.execute(sql`alter table sweep_districts add constraint forbidden check (state <> 'done')`);
  const id = await startSweep(t, admin, { businessType: 'Bakery', places: ['LS1'] });
  await t.app.jobs.run();
  const readJob = async () => (await t.db.select().from(jobs).where(eq(jobs.id, id)))[0];
  expect(await readJob()).toMatchObject({ state: 'running', tries: 1 });
  const read = async () => (await t.request(admin, getSweep, withId(id))).body;
  expect(await read()).toMatchObject({ state: 'running', message: null });

  await t.db.update(jobs).set({ tries: 9, runAt: '2020-01-01T00:00:00.000Z' }).where(eq(jobs.id, id));
  await t.app.jobs.run();
  expect(await read()).toMatchObject({
    ...{ state: 'stopped', canContinue: true, districts: { done: 0, failed: 0 } },
    message: 'It failed 10 times. Something went wrong on our side. Please try again.',
  });
  await t.db.execute(sql`alter table sweep_districts drop constraint forbidden`);
  expect(await continueToEnd(t, admin, id)).toMatchObject({ state: 'done', districts: { done: 1 } });
  await t.close();
});
