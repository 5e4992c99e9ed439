import type { Pool } from 'pg';
import { buildPath } from '#contract/call.ts';
import type { LeadStatus } from '#contract/leads/lead.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { createCaller } from './callers.ts';
import { median } from './figures.ts';
import type { BenchPerson } from './people.ts';
import type { Product } from './product.ts';

const LEADS = 300;

/** Milliseconds of one status change, medians. */
export interface Changes {
  http: number;
  /** The same update with the bare driver. */
  bare: number;
  /** The same in a loop of its own, with the list's indexes and without them. */
  indexed: number;
  unindexed: number;
}

/** To be called last: it drops the list's indexes. */
export async function timeChanges(product: Product, pool: Pool, holder: BenchPerson): Promise<Changes> {
  const { rows } = await pool.query<Lead>(
    `select id, uuid from user_businesses where user_id = $1 and status = 'new' order by md5(id::text) limit $2`,
    [holder.id, LEADS],
  );
  const caller = createCaller(product.url, 1);
  const [http, bare]: [number[], number[]] = [[], []];
  try {
    // Lead by lead in turn, so that other load on the machine falls on both.
    for (const { id, uuid } of rows) {
      const path = buildPath(changeLeadStatus.byUuid, { params: { uuid } });
      const change = { method: changeLeadStatus.byUuid.method, path, cookie: holder.cookie };
      http.push(await milliseconds(() => caller.call({ ...change, body: { status: 'recontact' } })));
      bare.push(await milliseconds(() => pool.query(UPDATE, [id, 'qualified'])));
    }
  } finally {
    caller.close();
  }
  const indexed = await timeUpdates(pool, rows, 'proposal');
  await dropListIndexes(pool);
  const unindexed = await timeUpdates(pool, rows, 'negotiation');
  return { http: median(http), bare: median(bare), indexed, unindexed };
}

async function timeUpdates(pool: Pool, leads: Lead[], status: LeadStatus): Promise<number> {
  const took: number[] = [];
  for (const { id } of leads) took.push(await milliseconds(() => pool.query(UPDATE, [id, status])));
  return median(took);
}

interface Lead {
  id: number;
  uuid: string;
}

const UPDATE = 'update user_businesses set status = $2, updated_at = now() where id = $1';

/** All but those of keys: these are there for the list alone. */
async function dropListIndexes(pool: Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indrelid = 'user_businesses'::regclass and not indisunique
       and indexrelid <> 'user_businesses_business_id_idx'::regclass`,
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
