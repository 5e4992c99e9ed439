import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#contract/progress/calendar.ts';
import { resolveDays, toDayText } from '#contract/reports/period.ts';
import { type ReportQuery, reportQuery } from '#contract/reports/reports.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Database } from '#server/kit/db/open.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { countRows, listSteps, recordStatements } from '#server/testing/plans/plans.ts';
import { countActivity, countCallTimes } from './activity.sql.ts';
import { readContacts } from './contacts.sql.ts';
import { readFunnel, readGroups, readPipeline } from './read-report.ts';

const LEADS = 20_000;
const NOW = new Date();
const TIME_ZONE = 'UTC';
const ADMIN: Viewer = { id: 0, role: 'admin' };
const SELLER: Viewer = { id: 3, role: 'user' };

let database: Database;
beforeAll(async () => {
  // As the built-in database has it, and other servers on solid-state disks are to have it.
  database = await freshDatabase({ random_page_cost: '1.5' });
  await fill(database.pool);
}, 120_000);
afterAll(() => database.close());

/** A lead every hour of more than two years, with three contacts in the days after; four of five old ones are closed. */
async function fill(pool: pg.Pool) {
  await pool.query(`
    set statement_timeout = 0;
    insert into users (username, email, full_name, password)
    select 'seller' || n, n || '@example.test', 'Seller', 'x' from generate_series(1, 40) n;
    insert into businesses (place_id, name, type) select 'p' || n, 'Shop ' || n, 'Type ' || n % 30
    from generate_series(1, ${LEADS}) n;
    insert into user_businesses (user_id, business_id, status, existing_customer, assigned_at, last_contacted_at)
    select 1 + n % 40, b.id, case when n > 3000 and n % 5 > 0 then 'closed_lost' when n % 7 = 0 then 'qualified' else 'new' end,
      n % 25 = 1, now() - n * interval '1 hour', now() - n * interval '1 hour' + interval '3 days'
    from generate_series(1, ${LEADS}) n join businesses b on b.place_id = 'p' || n;
    insert into contact_activities (user_business_id, type, description, outcome, created_by, completed_at)
    select id, (array['call', 'email', 'meeting'])[nth], '', case when nth = 1 then 'spoke' end, user_id,
      assigned_at + nth * interval '1 day'
    from user_businesses cross join generate_series(1, 3) nth;
    reset statement_timeout`);
  await pool.query('vacuum analyze');
}

const WEEK = {
  from: toDayText(toLocalDate(TIME_ZONE, new Date(NOW.getTime() - 6 * 24 * 60 * 60_000))),
  to: toDayText(toLocalDate(TIME_ZONE, NOW)),
};
const toReport = (viewer: Viewer, db: Db, query: Partial<ReportQuery> = {}) => ({
  ...{ db, viewer, now: NOW, timeZone: TIME_ZONE },
  query: { ...reportQuery.parse({ period: 'days', ...WEEK }), ...query },
});
const toPeriod = (user?: number) => ({
  ...{ ...reportQuery.parse({}), user, days: WEEK, before: resolveDays(WEEK).before, timeZone: TIME_ZONE },
});

/** Which indexes of leads and activities the work reads, which of these tables it scans, and how many rows its largest step has. */
async function measureReads(work: (db: Db) => Promise<unknown>) {
  const steps = await listSteps(database, await recordStatements(database, work));
  const tables = steps.flatMap((step) => (step['Node Type'].includes('Seq Scan') ? (step['Relation Name'] ?? []) : []));
  const reads = steps.filter((step) => step['Index Name'] ?? step['Relation Name']);
  return {
    indexes: [...new Set(steps.flatMap((step) => step['Index Name'] ?? []))],
    scanned: tables.filter((table) => ['user_businesses', 'contact_activities'].includes(table)),
    maxRows: Math.max(0, ...reads.map(countRows)),
    readsActivities: reads.some(
      (step) => step['Relation Name'] === 'contact_activities' && step['Node Type'] !== 'Index Only Scan',
    ),
  };
}

test('the funnel and the comparison of a week read its leads, and of their activities an index', async () => {
  for (const viewer of [ADMIN, SELLER]) {
    const user = viewer === SELLER ? { user: SELLER.id } : {};
    const funnel = await measureReads((db) => readFunnel(toReport(viewer, db, user)));
    const groups = await measureReads((db) => readGroups(toReport(viewer, db, user), { by: 'type', sum: undefined }));
    for (const { indexes, scanned, maxRows, readsActivities } of [funnel, groups]) {
      expect(indexes).toContain('contact_activities_of_lead_idx');
      expect({ scanned, readsActivities }).toEqual({ scanned: [], readsActivities: false });
      expect(maxRows).toBeLessThan(1_000);
    }
  }
});

test('the activity of a week reads its contacts in an index alone', async () => {
  for (const user of [undefined, SELLER.id]) {
    for (const work of [countActivity, countCallTimes]) {
      const { indexes, scanned, maxRows, readsActivities } = await measureReads((db) => work(db, toPeriod(user)));
      expect(indexes).toContain('contact_activities_completed_at_idx');
      expect({ scanned, readsActivities }).toEqual({ scanned: [], readsActivities: false });
      expect(maxRows).toBeLessThan(1_000);
    }
  }
});

test('a page of contacts reads the newest of its period', async () => {
  const page = { viewer: ADMIN, page: 1 };
  const filter = { contact: undefined, reached: undefined, deleted: undefined, callTime: undefined };
  const { indexes, scanned, maxRows } = await measureReads((db) => readContacts(db, toPeriod(), filter, page));
  expect(indexes).toContain('contact_activities_completed_at_idx');
  expect(scanned).toEqual([]);
  expect(maxRows).toBeLessThan(1_000);
});

test('the pipeline reads the open leads, and the first contacts in an index', async () => {
  const own = await measureReads((db) => readPipeline(toReport(SELLER, db, { user: SELLER.id })));
  expect(own.indexes).toEqual(
    expect.arrayContaining(['user_businesses_user_id_open_idx', 'contact_activities_of_lead_idx']),
  );
  expect({ scanned: own.scanned, readsActivities: own.readsActivities }).toEqual({
    scanned: [],
    readsActivities: false,
  });
  const team = await measureReads((db) => readPipeline(toReport(ADMIN, db)));
  expect(team.scanned).not.toContain('contact_activities');
  expect(team.readsActivities).toBe(false);
});
