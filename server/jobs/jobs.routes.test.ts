import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob, getJob } from '#contract/jobs/jobs.calls.ts';
import { UNDO } from '#server/changes/undo-job.ts';
import { leads } from '#server/schema/leads.ts';
import { MOVE_LEADS } from '#server/territories/move-leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { insertJob } from './jobs.sql.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const create = async (kind: string) => {
  const id = randomUUID();
  const input = { fromUserId: admin.id, toUserId: admin.id, districts: ['LS1'], after: 0, batchId: id };
  await insertJob(t.db, { id, kind, userId: admin.id, ip: '', input, total: 3 });
  return { params: { jobId: id } };
};

test('a job is read and cancelled by its user alone, and does nothing after that', async () => {
  const job = await create(MOVE_LEADS);
  const other = await t.user('admin');
  for (const call of [getJob, cancelJob]) expect((await t.request(other, call, job)).status).toBe(404);
  expect((await t.request(admin, cancelJob, job)).body).toMatchObject({ state: 'cancelled', done: 0, total: 3 });
  const before = await t.db.$count(leads);
  await t.app.jobs.run();
  expect((await t.request(admin, getJob, job)).body).toMatchObject({ state: 'cancelled', done: 0 });
  expect(await t.db.$count(leads)).toBe(before);
  expect((await t.request(admin, cancelJob, job)).body.state, 'again').toBe('cancelled');
});

test('what makes no sense half done is not cancelled', async () => {
  const job = await create(UNDO);
  expect(await t.request(admin, cancelJob, job)).toMatchObject({ status: 409, body: { code: 'not_cancellable' } });
});
