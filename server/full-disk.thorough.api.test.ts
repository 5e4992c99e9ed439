import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { checkImport, getImport, startImport } from '#contract/import/import-jobs.calls.ts';
import { getLatestBulkJob, startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { archiveLead, getLead } from '#contract/leads/leads.calls.ts';
import { getSweep } from '#contract/sweeps/sweeps.calls.ts';
import { IMPORT } from '#server/import/run/import-job.ts';
import { createDb } from '#server/kit/db/db.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { checkFile, findLeadsNamed, unique, uploadImport, waitForImport } from '#server/testing/import.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { startSweep, waitForSweep } from '#server/testing/sweeps.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import type { Database } from './kit/db/open.ts';

/** How often there is still room when that is checked. */
let checks = Number.POSITIVE_INFINITY;
let database: Database;
let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  const opened = await freshDatabase();
  const hasFreeSpace = () => {
    checks -= 1;
    return checks >= 0;
  };
  database = { ...opened, db: createDb(opened.pool, { hasFreeSpace }) };
  t = await testApp({ database });
  admin = await t.user('admin');
});
beforeEach(() => {
  checks = Number.POSITIVE_INFINITY;
});
afterAll(async () => {
  await t.close();
  await database.close();
});

test('a bulk job waits while the disk is full, and goes on when there is room', async () => {
  await insertManyLeads(t.db, admin.id, 1_200);
  // One for the start, one for the first step.
  checks = 2;
  await t.request(admin, startBulkJob, { body: { filter: { user: admin.id }, action: { verb: 'archive' } } });
  await t.app.jobs.run();
  const readJob = async () => (await t.request(admin, getLatestBulkJob)).body.job;
  expect(await readJob()).toMatchObject({ state: 'running', done: 500 });
  checks = Number.POSITIVE_INFINITY;
  await t.app.jobs.run();
  expect(await readJob()).toMatchObject({ state: 'done', success: 1_200 });
});

test('an import waits before its next batch, and goes on when there is room', async () => {
  const name = unique('Full');
  const rows = Array.from({ length: 1_200 }, (_, nth) => `${name} ${nth}`);
  const { id } = await checkFile(t, admin, `Business Name\n${rows.join('\n')}`);
  // One for the start, one for the first batch.
  checks = 2;
  await t.request(admin, startImport, { params: { id }, body: {} });
  await t.app.jobs.run();
  const read = async () => (await t.request(admin, getImport, { params: { id } })).body;
  expect(await read()).toMatchObject({ state: 'running', counts: { total: 500 } });
  expect(await findLeadsNamed(t, name)).toHaveLength(500);

  checks = Number.POSITIVE_INFINITY;
  await t.app.jobs.run();
  expect(await read()).toMatchObject({ state: 'done', counts: { total: 1_200, successful: 1_200 } });
});

test('the check of a file stops before its next batch, and begins again when there is room', async () => {
  const rows = Array.from({ length: 1_200 }, (_, nth) => `${unique('Checked')} ${nth}`);
  const { body: draft } = await uploadImport(t, admin, `Business Name\n${rows.join('\n')}`);
  const params = { id: draft.id };
  // One for the start, one for the transaction of the check, one for its first batch; other jobs would check, too.
  checks = 3;
  await t.request(admin, checkImport, { params, body: {} });
  await t.app.jobs.run(IMPORT);
  const read = async () => (await t.request(admin, getImport, { params })).body;
  expect(await read()).toMatchObject({ state: 'checking', progress: { rows: 500 } });

  checks = Number.POSITIVE_INFINITY;
  await t.app.jobs.run(IMPORT);
  expect(await read()).toMatchObject({ state: 'checked', preview: { rows: 1_200, newLeads: 1_200 } });
});

test('undoing refuses before what it writes, and changes nothing', async () => {
  const { id } = await t.lead(admin, {}, { name: unique('Undone') });
  const archived = await t.request(admin, archiveLead.byId, { params: { id } });
  const batchId = String(archived.headers[BATCH_HEADER]);
  const undo = () => t.request(admin, undoChanges, { params: { batchId } });
  // For the transaction.
  checks = 1;
  expect(await undo()).toMatchObject({ status: 503, body: { code: 'storage_full' } });
  checks = Number.POSITIVE_INFINITY;
  expect((await t.request(admin, getLead.byId, { params: { id } })).body.userBusiness.archived).toBe(true);
  expect(await undo()).toMatchObject({ status: 200, body: { takenBack: 1 } });
});

test('undoing a large import waits while the disk is full, and goes on when there is room', async () => {
  const name = unique('Undone');
  const rows = Array.from({ length: 1_200 }, (_, nth) => `${name} ${nth}`);
  const { id } = await checkFile(t, admin, `Business Name\n${rows.join('\n')}`);
  await t.request(admin, startImport, { params: { id }, body: {} });
  const { batchId } = await waitForImport(t, admin, id);
  const undo = () => t.request(admin, undoChanges, { params: { batchId: batchId ?? '' } });
  checks = 0;
  expect(await undo()).toMatchObject({ status: 503, body: { code: 'storage_full' } });
  // For the start, and three in each step: its transaction, what is written, and the leads that are deleted.
  checks = 4;
  const running = { deleted: 500, job: { state: 'running' } };
  expect(await undo()).toMatchObject({ status: 200, body: running });
  expect(await findLeadsNamed(t, name)).toHaveLength(700);
  checks = Number.POSITIVE_INFINITY;
  await t.app.jobs.run();
  expect(await findLeadsNamed(t, name)).toEqual([]);
});

test('a sweep waits before its next district, and goes on when there is room', async () => {
  const body = { businessType: 'Bakery', places: ['LS1', 'LS2', 'LS3'] };
  // For the start, and the first district.
  checks = 2;
  const id = await startSweep(t, admin, body);
  await t.app.jobs.run();
  const { body: waiting } = await t.request(admin, getSweep, { params: { id } });
  expect(waiting).toMatchObject({ state: 'running', districts: { done: 1, failed: 0 } });
  checks = Number.POSITIVE_INFINITY;
  expect(await waitForSweep(t, admin, id)).toMatchObject({ state: 'done', districts: { done: 3 } });
});
