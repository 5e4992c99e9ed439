import { pathOf } from '#contract/call.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import type { Database } from '#server/kit/db/open.ts';
import { createCaller } from './callers.ts';
import { median } from './figures.ts';
import type { BenchPerson } from './people.ts';
import type { Product } from './product.ts';

const LEADS = 300;
const STATUSES = ['recontact', 'in_progress'] as const;

/** Milliseconds of one status change, medians. */
export interface Changes {
  http: number;
  /** The same update with the bare driver. */
  bare: number;
  /** The same update of a copy of the table that has its keys and none of the list's indexes and columns. */
  withoutIndexes: number;
}

/** Alternating, lead by lead, so that other load on the machine falls on all three. */
export async function timeChanges(product: Product, pool: Database['pool'], holder: BenchPerson): Promise<Changes> {
  await pool.query(`
    create table plain_leads (like user_businesses including defaults including identity including constraints);
    alter table plain_leads drop column search_name;
    alter table plain_leads set (fillfactor = 90);
    insert into plain_leads overriding system value
      select ${await plainColumns(pool)} from user_businesses;
    alter table plain_leads add primary key (id), add unique (uuid), add unique (user_id, business_id);
    create index on plain_leads (business_id);`);
  await pool.query('vacuum analyze plain_leads');
  const { rows } = await pool.query<{ id: number; uuid: string }>(
    'select id, uuid from user_businesses where user_id = $1 order by md5(id::text) limit $2',
    [holder.id, LEADS],
  );
  const caller = createCaller(product.url, 1);
  const took = { http: [] as number[], bare: [] as number[], withoutIndexes: [] as number[] };
  try {
    for (const status of STATUSES) {
      for (const { id, uuid } of rows) {
        const path = pathOf(changeLeadStatus.byUuid, { params: { uuid } });
        const change = { method: changeLeadStatus.byUuid.method, path, cookie: holder.cookie, body: { status } };
        took.http.push(await milliseconds(() => caller.call(change)));
        // Another status than the one just set, so that every update changes something.
        took.bare.push(await milliseconds(() => pool.query(update('user_businesses'), [id, 'qualified'])));
        took.withoutIndexes.push(await milliseconds(() => pool.query(update('plain_leads'), [id, 'qualified'])));
      }
    }
  } finally {
    caller.close();
    await pool.query('drop table plain_leads');
  }
  return { http: median(took.http), bare: median(took.bare), withoutIndexes: median(took.withoutIndexes) };
}

const update = (table: string) => `update ${table} set status = $2, updated_at = now() where id = $1`;

async function plainColumns(pool: Database['pool']): Promise<string> {
  const { rows } = await pool.query<{ columns: string }>(
    `select string_agg(column_name, ', ' order by ordinal_position) as columns from information_schema.columns
     where table_name = 'user_businesses' and column_name <> 'search_name'`,
  );
  return rows[0]?.columns ?? '';
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
