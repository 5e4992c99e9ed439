import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { testApp } from '#server/testing/test-app.ts';
import { selectJoinedLead } from './merged-rows.sql.ts';

const ROLLBACK = new Error('rolled back');

test.each<[string, LeadRef, string]>([
  ['uuid', { uuid: randomUUID() }, 'merged_rows_joined_uuid_idx'],
  ['id', { id: 2_147_483_647 }, 'merged_rows_joined_id_idx'],
])('a look-up by %s of a lead that is gone does not scan merged_rows', async (_, leadRef, index) => {
  const t = await testApp();
  let plan = '';
  // The batches of these rows do not exist, which only a commit would check.
  const work = t.db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into merged_rows (batch_id, table_name, row_id, before, after)
      select gen_random_uuid(), case when n % 4 = 0 then 'user_businesses' else 'changes' end, n,
        jsonb_build_object('uuid', gen_random_uuid()), case when n % 8 = 0 then '{}'::jsonb end
      from generate_series(1, 8000) n`);
    await tx.execute(sql`analyze merged_rows`);
    const { rows } = await tx.execute(sql`explain ${selectJoinedLead(leadRef)}`);
    plan = JSON.stringify(rows);
    throw ROLLBACK;
  });
  await expect(work).rejects.toBe(ROLLBACK);
  expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan on merged_rows');
  await t.close();
});
