import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { undoChanges } from '#contract/changes/changes.calls.ts';
import { IMPORT_ID_HEADER } from '#contract/import/import.calls.ts';
import * as calls from '#contract/import/import-jobs.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { importChunks, imports } from '#server/schema/imports.ts';
import {
  checkFile,
  findLeadsNamed,
  importFile,
  slowImport,
  unique,
  uploadImport,
  waitForImport,
} from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { startImportJob } from './import-job.ts';

const ROWS = 5_000;
/** Generous: a busy machine is slow. */
const SLOW_MS = 120_000;

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const withId = (id: string) => ({ params: { id } });
const buildFile = (name: string, holder: TestUser, rows = ROWS) =>
  `Business Name,User\n${Array.from({ length: rows }, (_, nth) => `${name} ${nth},${holder.username}`).join('\n')}\n`;
const countLeads = async (name: string) => (await findLeadsNamed(t, name)).length;
const listTitles = async (user: TestUser) =>
  (await t.request(user, listNotifications)).body.items.map(({ title }) => title);
const latestOf = async (user: TestUser) => {
  const [job] = await t.db.select().from(imports).where(eq(imports.userId, user.id)).orderBy(desc(imports.createdAt));
  return job?.id ?? '';
};

/** Starts an import of a checked file, and waits for its first batch. */
async function startSlowly(app: TestApp, importer: TestUser, file: string) {
  const { id } = await checkFile(app, importer, file);
  const started = await app.request(importer, calls.startImport, withId(id));
  expect(started.body).toMatchObject({ state: 'running', preview: { rows: ROWS } });
  const readRows = async () => (await t.request(admin, calls.getImport, withId(id))).body.progress.rows;
  await expect.poll(readRows, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
  return id;
}

test(
  'a file that has arrived is imported although its sender disconnects',
  async () => {
    const [importer, holder] = [await t.user('admin'), await t.user()];
    const name = unique('Gone');
    const id = randomUUID();
    const headers = { 'idempotency-key': randomUUID(), [IMPORT_ID_HEADER]: id };
    const upload = await slowImport(t, importer, headers);
    upload.write(buildFile(name, holder));
    upload.end();
    await expect.poll(() => countLeads(name), { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    upload.cut();

    expect((await t.request(admin, calls.getImport, withId(id))).body.state).toBe('running');
    const done = await waitForImport(t, admin, id);
    expect(done).toMatchObject({
      state: 'done',
      counts: { total: ROWS, successful: ROWS },
      batchId: expect.any(String),
    });
    expect(await countLeads(name)).toBe(ROWS);
    expect(await listTitles(importer)).toEqual(['Import finished']);
    expect(await t.db.$count(importChunks, eq(importChunks.importId, id))).toBe(0);

    const repeated = await importFile(t, importer, buildFile(name, holder), { headers });
    expect(repeated.body).toMatchObject({ message: done.message, alreadyThere: 0 });
    expect(await listTitles(importer)).toEqual(['Import finished']);
  },
  SLOW_MS,
);

test('an upload that breaks off is stopped, and cannot be continued', async () => {
  const [importer, holder] = [await t.user('admin'), await t.user()];
  const name = unique('Broken');
  const upload = await slowImport(t, importer);
  upload.write(buildFile(name, holder, 600));
  await expect.poll(() => countLeads(name), { timeout: 20_000 }).toBe(500);
  const id = await latestOf(importer);
  expect((await t.request(admin, calls.listImports)).body.items[0]).toMatchObject({ id, state: 'running' });
  upload.cut();
  expect(await waitForImport(t, admin, id)).toMatchObject({
    ...{ state: 'stopped', canContinue: false, counts: { total: 500, successful: 500 } },
    message:
      'The import was interrupted. 500 rows had been read by then, and 500 businesses imported. Import the file again to complete it; nothing is added twice.',
  });
  const refused = await t.request(admin, calls.continueImport, withId(id));
  expect(refused).toMatchObject({ status: 409, body: { code: 'import_not_ready' } });
  expect(await t.db.$count(importChunks, eq(importChunks.importId, id))).toBe(0);
});

test(
  'an import is cancelled from another process, continued, and undone as one',
  async () => {
    const [importer, holder, other] = [await t.user('admin'), await t.user(), await testApp()];
    const name = unique('Cancelled');
    const id = await startSlowly(t, importer, buildFile(name, holder));

    const second = await importFile(other, admin, 'Business Name\nNever stored\n');
    expect(second).toMatchObject({ status: 409, body: { code: 'import_running' } });
    for (const call of [calls.checkImport, calls.discardImport, calls.continueImport]) {
      expect(await other.request(admin, call, withId(id))).toMatchObject({
        status: 409,
        body: { code: 'import_not_ready' },
      });
    }
    const { batchId } = (await other.request(admin, calls.getImport, withId(id))).body;
    const undone = await t.request(admin, undoChanges, { params: { batchId: batchId ?? '' } });
    expect(undone).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
    expect((await other.request(admin, calls.cancelImport, withId(id))).status).toBe(200);

    const cancelled = await waitForImport(other, admin, id);
    const { total } = cancelled.counts;
    expect(cancelled).toMatchObject({ state: 'cancelled', canContinue: true, counts: { successful: total } });
    expect(cancelled.message).toMatch(
      /^The import was cancelled\. .* Continue the import to complete it; nothing is added/,
    );
    expect([total % 500, total > 0, total < ROWS]).toEqual([0, true, true]);
    expect(await countLeads(name)).toBe(total);

    expect((await other.request(admin, calls.continueImport, withId(id))).body.state).toBe('running');
    const done = await waitForImport(t, importer, id);
    expect(done).toMatchObject({
      ...{ state: 'done', batchId, importedBy: 'Test admin', message: '5,000 rows: 5,000 new leads.' },
      counts: { total: ROWS, successful: ROWS, failed: 0, created: ROWS, alreadyThere: 0, repeated: 0 },
    });
    expect(await listTitles(importer)).toEqual(['Import finished', 'Import stopped']);
    expect((await t.request(holder, listNotifications)).body.items.map(({ message }) => message)).toEqual([
      'Test admin imported 5,000 businesses for you.',
    ]);
    const taken = await t.request(admin, undoChanges, { params: { batchId: batchId ?? '' } });
    expect(taken.body).toMatchObject({ deleted: ROWS });
    await other.close();
  },
  SLOW_MS,
);

test(
  'a shutdown leaves an import after its batch, and another process goes on with it',
  async () => {
    const [importer, holder, stopping] = [await t.user('admin'), await t.user(), await testApp()];
    const name = unique('Shutdown');
    const id = await startSlowly(stopping, importer, buildFile(name, holder));
    await stopping.close();
    const { state, counts } = (await t.request(admin, calls.getImport, withId(id))).body;
    expect(state).toBe('running');
    expect(await countLeads(name)).toBe(counts.total);
    expect(counts.total).toBeLessThan(ROWS);

    await t.app.jobs.run();
    expect((await t.request(admin, calls.getImport, withId(id))).body).toMatchObject({
      state: 'done',
      counts: { total: ROWS, alreadyThere: 0 },
    });
    expect(await countLeads(name)).toBe(ROWS);
    expect(await listTitles(importer)).toEqual(['Import finished']);
  },
  SLOW_MS,
);

test(
  'a shutdown stops the import of a request, and it is imported again or continued elsewhere',
  async () => {
    const [importer, holder, stopping] = [await t.user('admin'), await t.user(), await testApp()];
    const name = unique('Left');
    const id = randomUUID();
    const upload = await slowImport(stopping, importer, { [IMPORT_ID_HEADER]: id });
    upload.write(buildFile(name, holder));
    upload.end();
    await expect.poll(() => countLeads(name), { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    await stopping.close();
    const { status, body } = await upload.response;
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'shutting_down' });
    expect(body.message).toMatch(/imported\. Import the file again to complete it; nothing is added twice\.$/);
    const stopped = (await t.request(admin, calls.getImport, withId(id))).body;
    expect(stopped).toMatchObject({ state: 'stopped', canContinue: true });

    expect((await importFile(t, admin, 'Business Name\nAnother bakery\n')).status, 'no import is running').toBe(200);
    await t.request(admin, calls.continueImport, withId(id));
    expect(await waitForImport(t, admin, id)).toMatchObject({
      state: 'done',
      counts: { total: ROWS, alreadyThere: 0 },
    });
    expect(await countLeads(name)).toBe(ROWS);
    expect(await listTitles(importer)).toEqual(['Import finished', 'Import stopped']);
  },
  SLOW_MS,
);

test(
  'of several processes each imports other rows',
  async () => {
    const [importer, holder] = [await t.user('admin'), await t.user()];
    const others = [await testApp(), await testApp()];
    const name = unique('Shared');
    const rows = `${buildFile(name, holder, 3_000)}${`${'x'.repeat(300)},${holder.username}\n`.repeat(1_200)}`;
    const { id } = await checkFile(t, importer, rows);
    await t.request(importer, calls.startImport, withId(id));
    const readState = async () => {
      for (const { app } of others) void app.jobs.run();
      return (await t.request(admin, calls.getImport, withId(id))).body.state;
    };
    await expect.poll(readState, { timeout: SLOW_MS, interval: 5 }).toBe('done');
    expect((await t.request(admin, calls.getImport, withId(id))).body).toMatchObject({
      ...{ counts: { total: 4_200, successful: 3_000, failed: 1_200, created: 3_000 }, correctable: 1_000 },
    });
    expect(await countLeads(name)).toBe(3_000);
    expect((await t.request(holder, listNotifications)).body.items.map(({ message }) => message)).toEqual([
      'Test admin imported 3,000 businesses for you.',
    ]);
    for (const other of others) await other.close();
  },
  SLOW_MS,
);

test('a dry run that is left by a shutdown begins again in another process', async () => {
  const [holder, stopping] = [await t.user(), await testApp()];
  const { body: draft } = await uploadImport(stopping, admin, buildFile(unique('Left check'), holder));
  await stopping.request(admin, calls.checkImport, withId(draft.id));
  await stopping.close();
  expect((await t.request(admin, calls.getImport, withId(draft.id))).body).toMatchObject({ state: 'checking' });
  await t.app.jobs.run();
  expect((await t.request(admin, calls.getImport, withId(draft.id))).body).toMatchObject({
    ...{ state: 'checked', preview: { rows: ROWS, newLeads: ROWS }, progress: { share: 1, rows: ROWS } },
  });
});

test('a cancelled dry run goes back to its columns', async () => {
  const holder = await t.user();
  const { id } = await checkFile(t, admin, buildFile(unique('Checked'), holder));
  await t.request(admin, calls.checkImport, withId(id));
  await t.request(admin, calls.cancelImport, withId(id));
  expect(await waitForImport(t, admin, id)).toMatchObject({ state: 'mapping', preview: null });
});

test('an import whose process was killed is ended by the next one, at once', async () => {
  const importer = await t.user('admin');
  const id = randomUUID();
  const counts = { lastRow: 501, readRows: 500, successful: 499, failed: 1, created: 499 };
  const job = { id, userId: importer.id, fileName: 'a.csv', batchId: randomUUID(), complete: true, ...counts };
  await t.db.insert(imports).values({ ...job, state: 'running', startedAt: new Date().toISOString() });
  await t.db.insert(importChunks).values({ importId: id, start: 0, bytes: Buffer.from('Business Name\n') });
  await startImportJob(t.db, { id, ip: '127.0.0.1', input: { arriving: true } });

  expect((await importFile(t, admin, 'Business Name\nOne more bakery\n')).status).toBe(200);
  expect((await t.request(admin, calls.getImport, withId(id))).body).toMatchObject({
    ...{ state: 'stopped', canContinue: true, counts: { total: 500, successful: 499, failed: 1 } },
    message:
      'The import was interrupted. 500 rows had been read by then, and 499 businesses imported. Continue the import to complete it; nothing is added twice.',
  });
  expect(await listTitles(importer)).toEqual(['Import stopped']);
});

test('an import whose process ended before its file had arrived is stopped, once', async () => {
  const importer = await t.user('admin');
  const id = randomUUID();
  const counts = { lastRow: 501, readRows: 500, successful: 499, failed: 1, created: 499 };
  const job = { id, userId: importer.id, fileName: 'a.csv', batchId: randomUUID(), ...counts };
  await t.db.insert(imports).values({ ...job, state: 'running', startedAt: new Date().toISOString() });
  await t.db.insert(importChunks).values({ importId: id, start: 0, bytes: Buffer.from('Business Name\n') });
  await startImportJob(t.db, { id, ip: '127.0.0.1', input: { arriving: true } });

  await t.request(admin, calls.listImports);
  expect((await t.request(admin, calls.getImport, withId(id))).body.state, 'reading changes nothing').toBe('running');
  await Promise.all([1, 2, 3].map(() => t.app.jobs.run()));
  expect((await t.request(admin, calls.getImport, withId(id))).body).toMatchObject({
    ...{ state: 'stopped', canContinue: false, counts: { total: 500, successful: 499, failed: 1 } },
    message:
      'The import was interrupted. 500 rows had been read by then, and 499 businesses imported. Import the file again to complete it; nothing is added twice.',
  });
  expect(await listTitles(importer)).toEqual(['Import stopped']);
  expect(await t.db.$count(importChunks, eq(importChunks.importId, id))).toBe(0);
});

test('an id of another import, or none, is refused and changes nothing', async () => {
  const theirs = await checkFile(t, await t.user('admin'), buildFile(unique('Theirs'), admin, 1));
  const name = unique('Mine');
  for (const id of [theirs.id, 'no-uuid']) {
    const response = await importFile(t, admin, buildFile(name, admin, 1), { headers: { [IMPORT_ID_HEADER]: id } });
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  }
  expect((await t.request(admin, calls.getImport, withId(theirs.id))).body).toMatchObject({ state: 'checked' });
  expect(await countLeads(name)).toBe(0);
});
