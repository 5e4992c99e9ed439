import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { register } from '#contract/auth/auth.calls.ts';
import { type AnyCall, buildPath } from '#contract/call.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import type { ImportJob } from '#contract/import/import-job.ts';
import * as jobs from '#contract/import/import-jobs.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { leads } from '#server/kit/db/schema.ts';
import { readEnv } from '#server/kit/env.ts';
import { MIGRATIONS, ROOT } from '#server/paths.ts';
import { quiet, scratchFolder } from '#server/testing/databases.ts';
import { buildForm, FORM, formParts } from '#server/testing/import.ts';

const ROWS = 5_000;
const BATCH_ROWS = 500;
const createLines = (count: number) =>
  Array.from({ length: count }, (_, nth) => `Shop ${nth},${nth} High Street,Leeds,${nth % 2 ? 'sam' : ''}`);
const lines = createLines(ROWS);
const HEADER = 'Business Name,Address,Town,User';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The server in a child process, which can be killed. */
async function startServer(dataDir: string, postgresBin = '') {
  const settings = { DATABASE_URL: '', POSTGRES_BIN: postgresBin, RATE_LIMIT_FACTOR: '1000' };
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...settings };
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], { cwd: ROOT, env });
  children.push(child);
  const output: string[] = [];
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  for await (const line of createInterface(child.stdout)) {
    output.push(line);
    const url = /^Highstreet is ready at (\S+)/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error(`The server did not start:\n${output.join('\n')}`);
}

async function kill(child: ChildProcess) {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function stop(child: ChildProcess) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
}

const openDatabase = (DATA_DIR: string, POSTGRES_BIN = '') =>
  openConfigured(readEnv({ DATA_DIR, POSTGRES_BIN }), { migrationsDir: MIGRATIONS, log: quiet });

async function firstAdmin(url: string): Promise<string> {
  const body = { username: 'ada', password: 'long enough', email: 'ada@example.test', fullName: 'Ada Admin' };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + register.path, { method: 'POST', headers, body: JSON.stringify(body) });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const sam = { ...body, username: 'sam', email: 'sam@example.test', fullName: 'Sam', role: 'user', monthlyGoal: 100 };
  await fetch(`${url}/api/users`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(sam) });
  return cookie;
}

async function countLeads(url: string, cookie: string): Promise<number> {
  const response = await fetch(url + listLeads.path, { headers: { cookie } });
  return ((await response.json()) as { total: number }).total;
}

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
  'an import of $rows rows that is killed on $on says how far it came, and is continued',
  async ({ rows, postgresBin }) => {
    const dataDir = scratchFolder(`killed-job-${rows}`);
    let server = await startServer(dataDir, postgresBin);
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

    server = await startServer(dataDir, postgresBin);
    expect(await send(jobs.getImport, id)).toMatchObject({ state: 'stopped', canContinue: true, batchId: null });
    await send(jobs.continueImport, id);
    await expect.poll(pollState(id), { timeout: 180_000 }).toBe('checked');
    await send(jobs.startImport, id, {});
    await expect.poll(() => countLeads(server.url, cookie), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    await kill(server.child);

    server = await startServer(dataDir, postgresBin);
    const stopped = await send(jobs.getImport, id);
    const committed = await countLeads(server.url, cookie);
    expect(stopped).toMatchObject({
      state: 'stopped',
      canContinue: true,
      counts: { successful: committed, failed: 0 },
    });
    expect(committed % BATCH_ROWS).toBe(0);
    await send(jobs.continueImport, id);
    await expect.poll(pollState(id), { timeout: 300_000 }).toBe('done');
    expect(await send(jobs.getImport, id)).toMatchObject({
      batchId: stopped.batchId,
      counts: { total: rows, successful: rows, alreadyThere: 0 },
    });
    await stop(server.child);
    const database = await openDatabase(dataDir, postgresBin);
    expect(await database.db.$count(leads)).toBe(rows); // a list counts to 10,000
    await database.close();
  },
  600_000,
);

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
