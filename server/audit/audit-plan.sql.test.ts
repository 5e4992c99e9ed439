import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/kit/db/open.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { countRows, listSteps, recordStatements } from '#server/testing/plans/plans.ts';
import { countEvents, type EventFilter, listEvents } from './audit.sql.ts';

const EVENTS = 40_000;
const LIMIT = 51;

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
  await fill(database.pool);
}, 120_000);
afterAll(() => database.close());

/** One event a minute by 40 users; every fifth is about the next user, and one user did nothing but is the subject of a few. */
async function fill(pool: pg.Pool) {
  await pool.query(`
    set statement_timeout = 0;
    insert into audit_events (event, at, actor_id, subject_type, subject_id)
    select case when n % 3 = 0 then 'sign_in' else 'lead_assigned' end, now() - (${EVENTS} - n) * interval '1 minute',
      1 + n % 40, case when n % 5 = 0 then 'user' else 'lead' end,
      case when n % 5000 = 0 then 99 else 1 + (n + 1) % 40 end
    from generate_series(1, ${EVENTS}) n;
    reset statement_timeout`);
  await pool.query('vacuum analyze audit_events');
}

/** How the work reads audit_events: whether it scans the table, and how many rows its largest step touches. */
async function measureReads(work: (db: Database['db']) => Promise<unknown>) {
  const statements = await recordStatements(database, work);
  expect(statements).toHaveLength(1);
  const steps = await listSteps(database, statements);
  const reads = steps.filter((step) => step['Relation Name'] === 'audit_events');
  return {
    scansTable: reads.some((node) => node['Node Type'] === 'Seq Scan'),
    maxRows: Math.max(...reads.map(countRows)),
  };
}

const day = () => {
  const to = new Date(Date.now() - 5 * 86_400_000);
  return { from: new Date(to.getTime() - 86_400_000), to };
};

test.each<[string, () => EventFilter]>([
  ['all events', () => ({})],
  ['a frequent event', () => ({ event: 'sign_in' })],
  ['a person with many events', () => ({ userId: 7 })],
  ['a person with few events', () => ({ userId: 99 })],
  ['a day', () => ({ range: day() })],
  ['a person on a day', () => ({ userId: 7, range: day() })],
])('a page of %s is read from an index, the first and a later one', async (_what, filter) => {
  for (const before of [undefined, EVENTS / 2]) {
    const { scansTable, maxRows } = await measureReads((db) => listEvents(db, filter(), { before, limit: LIMIT }));
    expect({ before, scansTable }).toEqual({ before, scansTable: false });
    expect(maxRows).toBeLessThan(EVENTS / 10);
  }
});

test.each<[string, () => EventFilter]>([
  ['a person', () => ({ userId: 99 })],
  ['a day', () => ({ range: day() })],
])('the events of %s are counted by an index', async (_what, filter) => {
  expect((await measureReads((db) => countEvents(db, filter()))).scansTable).toBe(false);
});
