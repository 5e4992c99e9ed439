import type { Pool } from 'pg';
import type { LeadStatus } from '#contract/leads/lead.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { milliseconds, openConnection, toRequest } from '../measure/callers.ts';
import { median } from '../measure/statistics.ts';
import type { User } from '../measure/users.ts';

const LEADS = 300;
const UPDATE = 'update user_businesses set status = $2, updated_at = now() where id = $1';

/** Milliseconds of one status change, medians. */
export interface Changes {
  http: number;
  /** The same update through the bare driver. */
  bare: number;
  /** The update repeated for all leads, with the list's indexes and without them. */
  indexed: number;
  unindexed: number;
}

/** Call this last: it drops the list's indexes. */
export async function timeChanges(url: string, pool: Pool, holder: User): Promise<Changes> {
  const { rows: leads } = await pool.query<{ id: number; uuid: string }>(
    `select id, uuid from user_businesses where user_id = $1 and status = 'new' order by md5(id::text) limit $2`,
    [holder.id, LEADS],
  );
  const timeUpdate = (id: number, status: LeadStatus) => milliseconds(() => pool.query(UPDATE, [id, status]));
  const timeUpdates = async (status: LeadStatus) => {
    const times: number[] = [];
    for (const { id } of leads) times.push(await timeUpdate(id, status));
    return median(times);
  };
  const connection = openConnection(url);
  const [http, bare]: [number[], number[]] = [[], []];
  // Lead by lead in turn, so that other load affects both.
  for (const { id, uuid } of leads) {
    const change = toRequest(holder, changeLeadStatus.byUuid, { params: { uuid }, body: { status: 'recontact' } });
    http.push(await milliseconds(() => connection.send(change)));
    bare.push(await timeUpdate(id, 'qualified'));
  }
  connection.close();
  const indexed = await timeUpdates('proposal');
  await dropListIndexes(pool);
  return { http: median(http), bare: median(bare), indexed, unindexed: await timeUpdates('negotiation') };
}

/** All but those of keys. */
async function dropListIndexes(pool: Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indrelid = 'user_businesses'::regclass and not indisunique
       and indexrelid <> 'user_businesses_business_id_idx'::regclass`,
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
}
