import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultOf } from '#server/kit/db/faults.ts';
import type { Database } from '#server/kit/db/open.ts';
import { blankEmbedded } from '#server/kit/db/testing.ts';

const RUNAWAY = 'SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 100000) b';
let database: Database;
const said: string[] = [];

beforeAll(async () => {
  database = await blankEmbedded({
    statementLimitMs: 1_000,
    idleInTransactionLimitMs: 1_000,
    log: { info: silent, warn: silent, error: (_details: object, message?: string) => said.push(message ?? '') },
  });
  await database.pool.query('CREATE TABLE kept (id integer PRIMARY KEY)');
});
afterAll(() => database.close());
const silent = () => {};
const ids = async () => (await database.pool.query('SELECT id FROM kept ORDER BY id')).rows.map((row) => row.id);
const faultFrom = async (work: Promise<unknown>) =>
  faultOf(
    await work.then(
      () => 'no failure',
      (error: unknown) => error,
    ),
  ).kind;

test('a runaway query is ended, the next is served, and what was committed is there', async () => {
  await database.pool.query('INSERT INTO kept VALUES (1)');

  expect(await faultFrom(database.pool.query(RUNAWAY))).toBe('unavailable');
  expect(await ids()).toEqual([1]);
  expect(said).toContain('the embedded database stopped; opening it again');
});

test('a transaction that ran away leaves nothing behind', async () => {
  const work = database.db.transaction(async (tx) => {
    await tx.execute('INSERT INTO kept VALUES (2)');
    await tx.execute(RUNAWAY);
  });

  expect(await faultFrom(work)).toBe('unavailable');
  expect(await ids()).toEqual([1]);
});

test('a longer limit set for one transaction holds for that transaction', async () => {
  await database.db.transaction(async (tx) => {
    await tx.execute('SET LOCAL statement_timeout = 0');
    await tx.execute("DO $$ BEGIN WHILE clock_timestamp() < now() + interval '2 s' LOOP END LOOP; END $$");
  });
  await database.pool.query('INSERT INTO kept VALUES (2)');
  await database.pool.query('DELETE FROM kept WHERE id = 2');
  expect(await ids()).toEqual([1]);
});

test('a transaction that is left open is undone, and others are served', async () => {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query('INSERT INTO kept VALUES (3)');
  await pause(1_500);
  expect(await faultFrom(client.query('COMMIT'))).toBe('unavailable');
  client.release(true);

  expect(await ids()).toEqual([1]);
});

test('the event loop stays free while the engine is busy', async () => {
  const late: number[] = [];
  const busy = faultFrom(database.pool.query(RUNAWAY));
  for (let tick = 0; tick < 20; tick += 1) {
    const due = Date.now() + 20;
    await pause(20);
    late.push(Date.now() - due);
  }
  expect(await busy).toBe('unavailable');
  expect(late.sort((a, b) => a - b)[10]).toBeLessThan(200);
});

test('a second connection inside a transaction fails in time instead of waiting for ever', async () => {
  const impatient = await blankEmbedded({ connectionTimeoutMillis: 3_000 });
  await impatient.pool.query('SELECT 1');
  const work = impatient.db.transaction(async () => {
    await impatient.db.execute('SELECT 1'); // the mistake: not `tx`
  });

  expect(await faultFrom(work)).toBe('unavailable');
  expect((await impatient.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await impatient.close();
});
