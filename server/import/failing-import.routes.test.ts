import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '#contract/import/import-jobs.calls.ts';
import { getLatestBulkJob, startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { jobs } from '#server/schema/jobs.ts';
import { checkFile, uploadImport, waitForImport } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const FILE = 'Business Name\nUnlucky Bakery\n';
const FAILED = 'It failed 10 times. Something went wrong on our side. Please try again.';
const PAST = '2020-01-01T00:00:00.000Z';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
});
afterAll(() => t.close());

const withId = (id: string) => ({ params: { id } });
const read = async (id: string) => (await t.request(admin, calls.getImport, withId(id))).body;
const readJob = async (id: string) => (await t.db.select().from(jobs).where(eq(jobs.id, id)))[0];
const makeLastTry = (id: string) => t.db.update(jobs).set({ tries: 9, runAt: PAST }).where(eq(jobs.id, id));

// A bug of the product, as far as an import can know.
const forbid = (table: string, condition: string) =>
  t.db.execute(sql.raw(`alter table ${table} add constraint forbidden check (${condition}) not valid`));
const allow = (table: string) => t.db.execute(sql.raw(`alter table ${table} drop constraint if exists forbidden`));
beforeEach(() => forbid('businesses', "name <> 'Unlucky Bakery'"));
afterEach(async () => {
  await allow('businesses');
  await allow('import_matches');
});

async function startFailing() {
  const { id } = await checkFile(t, admin, FILE);
  await t.request(admin, calls.startImport, withId(id));
  await t.app.jobs.run();
  return id;
}

test('an import whose step fails is repeated after a pause while others go on, and ends after ten tries with a reason', async () => {
  const id = await startFailing();
  expect(await readJob(id)).toMatchObject({ state: 'running', tries: 1 });

  const user = await t.user();
  await t.lead(user);
  await t.request(user, startBulkJob, { body: { filter: {}, action: { verb: 'archive' } } as never });
  await t.app.jobs.run();
  expect((await t.request(user, getLatestBulkJob)).body.job).toMatchObject({ state: 'done', success: 1 });
  expect(await readJob(id), 'not before the pause is over').toMatchObject({ tries: 1 });
  expect(await read(id)).toMatchObject({ state: 'running', message: null });

  await makeLastTry(id);
  await t.app.jobs.run();
  expect(await read(id)).toMatchObject({
    ...{ state: 'stopped', canContinue: true, message: `${FAILED} Nothing was imported.` },
  });
  await allow('businesses');
  await t.request(admin, calls.continueImport, withId(id));
  expect(await waitForImport(t, admin, id)).toMatchObject({ state: 'done', counts: { created: 1 } });
});

test('an import that waits for its next try is cancelled at once', async () => {
  const id = await startFailing();
  await t.request(admin, calls.cancelImport, withId(id));
  await t.app.jobs.run();
  expect(await read(id)).toMatchObject({
    state: 'cancelled',
    message: 'The import was cancelled. Nothing was imported.',
  });
});

test('a check that fails ten times ends with a reason, too', async () => {
  await forbid('import_matches', 'false');
  const { body: draft } = await uploadImport(t, admin, `${FILE}Unlucky Bakery\n`);
  await t.request(admin, calls.checkImport, { ...withId(draft.id), body: {} });
  await t.app.jobs.run();
  expect(await read(draft.id)).toMatchObject({ state: 'checking', message: null });
  await makeLastTry(draft.id);
  await t.app.jobs.run();
  expect(await read(draft.id)).toMatchObject({ state: 'stopped', message: FAILED });
});
