import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type AnyCall, buildPath } from '#contract/call.ts';
import type { ChangeBatch } from '#contract/changes/change.ts';
import { listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import type { BulkJob } from '#contract/leads/bulk/bulk-job.ts';
import * as calls from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { firstAdmin, kill, openDatabase, startServer, stop } from '#server/testing/child-server.ts';
import { scratchFolder } from '#server/testing/databases.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';

const COUNT = 10_000;

test('a bulk action that is killed goes on after the restart, changes each lead once; so does its undo', async () => {
  const dataDir = scratchFolder('killed-bulk');
  let server = await startServer(dataDir);
  const cookie = await firstAdmin(server.url);
  await stop(server.child);
  let database = await openDatabase(dataDir);
  await insertManyLeads(database.db, 1, COUNT);
  await database.close();

  server = await startServer(dataDir);
  const send = async (call: AnyCall, body?: object, params = {}) => {
    const headers = { cookie, ...(body && { 'content-type': 'application/json' }) };
    const init = { method: call.method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(server.url + buildPath(call, { params } as never), init)).json();
  };
  const readJob = async () => ((await send(calls.getLatestBulkJob)) as { job: BulkJob }).job;
  const action = { verb: 'update-status', status: 'recontact' };
  const { id } = (await send(calls.startBulkJob, { filter: {}, action })) as BulkJob;
  await expect.poll(async () => (await readJob()).done, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
  await kill(server.child);

  server = await startServer(dataDir);
  await expect.poll(async () => (await readJob()).state, { timeout: 120_000 }).toBe('done');
  expect(await readJob()).toMatchObject({ id, done: COUNT, success: COUNT, failed: 0, batchId: id });
  await stop(server.child);

  database = await openDatabase(dataDir);
  const counts = sql`select count(*)::int as leads, count(*) filter (where status = 'recontact')::int as changed,
    (select count(*)::int from changes where field = 'status') as recorded,
    (select count(*)::int from contact_credits) as credits from user_businesses`;
  expect((await database.db.execute(counts)).rows).toEqual([
    { leads: COUNT, changed: COUNT, recorded: COUNT, credits: COUNT },
  ]);
  await database.close();

  server = await startServer(dataDir);
  const countUndone = async () => {
    const { items } = (await send(listChanges)) as { items: ChangeBatch[] };
    return items.find(({ kind }) => kind === 'undo')?.count ?? 0;
  };
  const undone = send(undoChanges, {}, { batchId: id }).catch(() => 'killed');
  await expect.poll(countUndone, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
  await kill(server.child);
  expect(await undone).toBe('killed');
  server = await startServer(dataDir);
  await expect.poll(countUndone, { timeout: 120_000 }).toBe(COUNT);
  await stop(server.child);
  database = await openDatabase(dataDir);
  expect((await database.db.execute(counts)).rows).toEqual([
    { leads: COUNT, changed: 0, recorded: 2 * COUNT, credits: 0 },
  ]);
  await database.close();
}, 300_000);
