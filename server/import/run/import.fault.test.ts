import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type AnyCall, buildPath } from '#contract/call.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import type { ImportJob } from '#contract/import/import-job.ts';
import * as jobs from '#contract/import/import-jobs.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { countLeads, firstAdmin, kill, openDatabase, startServer, stop } from '#server/testing/child-server.ts';
import { scratchFolder } from '#server/testing/databases.ts';
import { buildForm, FORM, formParts } from '#server/testing/import.ts';

const ROWS = 5_000;
const BATCH_ROWS = 500;
const createLines = (count: number) =>
  Array.from({ length: count }, (_, nth) => `Shop ${nth},${nth} High Street,Leeds,${nth % 2 ? 'sam' : ''}`);
const lines = createLines(ROWS);
const HEADER = 'Business Name,Address,Town,User';

/** Sends the beginning of a form and keeps the request open. */
function beginImport(url: string, cookie: string, rows: string[]) {
  const sending = request(url + importBusinesses.path, { method: 'POST', headers: { 'content-type': FORM, cookie } });
  sending.on('error', () => {}); // the other end is killed
  sending.write(`${formParts().head}${HEADER}\n${rows.join('\n')}\n`);
}

const POSTGRES_15 = '/usr/lib/postgresql/15/bin';
const KILLED = [
  { on: 'the built-in PostgreSQL', rows: 100_000, postgresBin: '' },
  { on: 'PostgreSQL 15', rows: ROWS, postgresBin: POSTGRES_15 },
].filter(({ postgresBin }) => !postgresBin || existsSync(postgresBin));

test.each(KILLED)(
  'a dry run and an import of $rows rows that are killed on $on go on by themselves',
  async ({ rows, postgresBin }) => {
    const dataDir = scratchFolder(`killed-job-${rows}`);
    let server = await startServer(dataDir, { POSTGRES_BIN: postgresBin });
    const cookie = await firstAdmin(server.url);
    const send = async <C extends AnyCall>(call: C, id: string, body?: object): Promise<ImportJob> => {
      const headers = { cookie, ...(body && { 'content-type': 'application/json' }) };
      const init = { method: call.method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (
        await fetch(server.url + buildPath(call, { params: { id } } as never), init)
      ).json() as Promise<ImportJob>;
    };
    const pollState = (id: string) => async () => (await send(jobs.getImport, id)).state;

    const file = buildForm(
      `Company;Street;City;Owner;Remarks\n${createLines(rows)
        .map((row) => row.replaceAll(',', ';'))
        .join(';x\n')}`,
    );
    const headers = { 'content-type': FORM, cookie };
    const uploaded = await fetch(server.url + jobs.createImport.path, { method: 'POST', headers, body: file });
    const { id, columns } = (await uploaded.json()) as ImportJob;
    expect(columns.map(({ target }) => target)).toEqual(['Business Name', 'Address', 'Town', 'User', 'Note']);
    await send(jobs.checkImport, id);
    await kill(server.child);

    server = await startServer(dataDir, { POSTGRES_BIN: postgresBin });
    expect(await send(jobs.getImport, id)).toMatchObject({ batchId: null, message: null });
    await expect.poll(pollState(id), { timeout: 180_000 }).toBe('checked');
    const checked = await send(jobs.getImport, id);
    expect(checked.preview).toMatchObject({ rows, newLeads: rows, newBusinesses: rows, repeated: 0, refused: 0 });
    await send(jobs.startImport, id);
    await expect.poll(() => countLeads(server.url, cookie), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    await kill(server.child);

    server = await startServer(dataDir, { POSTGRES_BIN: postgresBin });
    const going = await send(jobs.getImport, id);
    expect(going).toMatchObject({ state: 'running', message: null, counts: { failed: 0 } });
    expect(going.counts.successful % BATCH_ROWS).toBe(0);
    expect(going.counts.successful).toBeGreaterThan(0);
    await expect.poll(pollState(id), { timeout: 300_000 }).toBe('done');
    expect(await send(jobs.getImport, id)).toMatchObject({
      batchId: going.batchId,
      counts: { total: rows, successful: rows, created: rows, alreadyThere: 0, repeated: 0 },
    });
    await stop(server.child);
    const database = await openDatabase(dataDir, postgresBin);
    expect(await database.db.$count(leads)).toBe(rows); // a list counts to 10,000
    await database.close();
  },
  600_000,
);

/** The states of all imports, the latest first. */
async function listImports(url: string, cookie: string) {
  const response = await fetch(url + jobs.listImports.path, { headers: { cookie } });
  return ((await response.json()) as { items: ImportJob[] }).items;
}

async function listStates(url: string, cookie: string) {
  const items = await listImports(url, cookie);
  return items.map(({ state, counts, canContinue }) => ({ state, canContinue, successful: counts.successful }));
}

test('a file that has arrived can be continued after its process was killed', async () => {
  const dataDir = scratchFolder('killed-upload');
  let server = await startServer(dataDir);
  const cookie = await firstAdmin(server.url);
  const body = buildForm(`${HEADER}\n${lines.join('\n')}`);
  void fetch(server.url + importBusinesses.path, {
    method: 'POST',
    headers: { 'content-type': FORM, cookie },
    body,
  }).catch(
    () => {}, // the other end is killed
  );
  await expect.poll(() => countLeads(server.url, cookie), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
  await kill(server.child);

  server = await startServer(dataDir);
  await expect
    .poll(() => listStates(server.url, cookie), { timeout: 60_000 })
    .toMatchObject([{ state: 'stopped', canContinue: true }]);
  const [stopped] = await listImports(server.url, cookie);
  const path = jobs.continueImport.path.replace(':id', stopped?.id ?? '');
  await fetch(server.url + path, { method: 'POST', headers: { cookie } });
  const done = [{ state: 'done', canContinue: false, successful: ROWS }];
  await expect.poll(() => listStates(server.url, cookie), { timeout: 120_000 }).toEqual(done);
  await stop(server.child);
  const database = await openDatabase(dataDir);
  expect(await database.db.$count(leads)).toBe(ROWS);
  const { rows } = await database.db.execute(sql`select title from notifications where type = 'import_finished'`);
  expect(rows).toEqual([{ title: 'Import stopped' }, { title: 'Import finished' }]);
  await database.close();
}, 300_000); // generous: a busy machine is slow

test('an import that is killed twice and repeated stores every row once, with history and notifications', async () => {
  const dataDir = scratchFolder('killed-import');
  let server = await startServer(dataDir);
  const cookie = await firstAdmin(server.url);

  beginImport(server.url, cookie, lines.slice(0, 1_550));
  await expect.poll(() => countLeads(server.url, cookie), { timeout: 60_000 }).toBe(1_500);
  await kill(server.child);

  server = await startServer(dataDir);
  expect(await countLeads(server.url, cookie)).toBe(1_500);
  beginImport(server.url, cookie, lines);
  // The whole file is sent: the process is killed while a batch is written, or between two.
  await expect.poll(() => countLeads(server.url, cookie), { timeout: 60_000, interval: 5 }).toBeGreaterThan(1_500);
  await kill(server.child);

  server = await startServer(dataDir);
  const importedBefore = await countLeads(server.url, cookie);
  expect(importedBefore % BATCH_ROWS).toBe(0);
  const response = await fetch(server.url + importBusinesses.path, {
    method: 'POST',
    headers: { 'content-type': FORM, cookie },
    body: buildForm(`${HEADER}\n${lines.join('\n')}`),
  });
  expect(await response.json()).toMatchObject({
    importResults: { total: ROWS, successful: ROWS, failed: 0 },
    alreadyThere: importedBefore,
  });
  await stop(server.child);

  const database = await openDatabase(dataDir);
  const { rows } = await database.db.execute(sql`select
    (select count(*)::int from businesses) as businesses,
    (select count(*)::int from user_businesses) as leads,
    (select count(distinct user_business_id)::int from assignment_history where initial) as history,
    (select sum(replace(substring(message from '([0-9,]+) businesses'), ',', '')::int)::int from notifications
      where type = 'lead_assigned') as notified`);
  await database.close();
  expect(rows).toEqual([{ businesses: ROWS, leads: ROWS, history: ROWS, notified: ROWS / 2 }]);
}, 300_000); // generous: a busy machine is slow
