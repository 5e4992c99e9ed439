import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lead } from '#contract/leads/lead.ts';
import { timelineFilter } from '#contract/leads/timeline/timeline.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Database } from '#server/kit/db/open.ts';
import { findLead } from '#server/leads/leads.sql.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { readSources, SOURCES } from './timeline.sql.ts';

// The plan is judged by the rows it reads, not by time, so that the result is the same on any machine.

const LIMIT = 51;
const NEWEST = { at: '9999-12-31T23:59:59.999Z', id: Number.MAX_SAFE_INTEGER };

let database: Database;
let lead: Lead;
beforeAll(async () => {
  database = await freshDatabase();
  await fill(database.db);
  lead = (await findLead(database.db, { id: 1 })) as Lead;
}, 120_000);
afterAll(() => database.close());

/** A hundred leads, the first with 2,000 entries of all kinds and the others with a few. */
async function fill(db: Db) {
  const entries = sql`(select id, business_id, case when id = 1 then 500 else 5 end as count from user_businesses)`;
  const eachHour = sql`${entries} lead, lateral generate_series(lead.count, 1, -1) hours`;
  await db.execute(
    sql`insert into users (username, email, full_name, password) values ('seller', 'a@b.c', 'Seller', '')`,
  );
  await db.execute(
    sql`insert into businesses (place_id, name) select n::text, 'Shop ' || n from generate_series(1, 100) n`,
  );
  await db.execute(sql`insert into user_businesses (user_id, business_id) select 1, id from businesses order by id`);
  for (const owner of ['lead_id', 'business_id']) {
    const id = sql.raw(owner === 'lead_id' ? 'id' : 'business_id');
    await db.execute(sql`
      with entry as materialized (
        select ${id} as owner, gen_random_uuid() as batch, now() - hours * interval '1 hour' as at from ${eachHour}),
      batch as (insert into change_batches (id, user_id, at, kind, source) select batch, 1, at, 'status', 'list' from entry)
      insert into changes (batch_id, ${sql.raw(owner)}, field, after) select batch, owner, 'town', '"Leeds"' from entry order by at`);
  }
  await db.execute(sql`insert into assignment_history (user_business_id, new_user_id, changed_by, changed_at)
    select id, 1, 1, now() - hours * interval '1 hour' from ${eachHour}`);
  await db.execute(sql`insert into contact_activities (user_business_id, type, description, created_by, created_at)
    select id, case when hours % 2 = 0 then 'call' else 'note' end, 'Rang', 1, now() - hours * interval '1 hour' from ${eachHour}`);
  await db.execute(sql`insert into lead_comments (user_business_id, text, created_by, created_at)
    select id, 'Rang?', 1, now() - hours * interval '1 hour' from ${eachHour}`);
  await db.execute(sql`vacuum analyze`);
}

const SOURCE_TABLES = ['changes', 'assignment_history', 'contact_activities', 'lead_comments'];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

/** The plan of the statement that reads the sources. */
async function explain(show: 'all' | 'contacts' | 'changes'): Promise<Plan[]> {
  const plans: Plan[] = [];
  const execute = async (statement: SQL) => {
    const { rows } = await database.db.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
    return { rows: [] };
  };
  const from = SOURCES.map(() => NEWEST);
  await readSources({ execute } as unknown as Db, lead, { show, from, limit: LIMIT });
  return plans.flatMap(flatten);
}

test.each(timelineFilter.options)(
  'the page of %s is read in the order of the indexes, without a sort',
  async (show) => {
    const nodes = (await explain(show)).filter((node) => node['Actual Loops'] > 0);
    expect(nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
    const scans = nodes.filter(({ 'Relation Name': table = '' }) => SOURCE_TABLES.includes(table));
    expect(new Set(scans.map((node) => node['Node Type']))).toEqual(new Set(['Index Scan']));
    const read = scans.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    // Every second activity is a contact.
    expect(Math.max(...read)).toBeLessThanOrEqual(2 * LIMIT);
  },
);
