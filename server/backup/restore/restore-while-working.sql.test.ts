import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getUser } from '#contract/auth/auth.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import type { Database } from '#server/kit/db/open.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { freshDatabase, scratchFolder } from '#server/testing/databases.ts';
import { assignAnotherBusiness, createTeamWithLeads, readTeamData } from '#server/testing/team.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { restoreBackup } from './restore-backup.ts';

const WRITERS = 3;

let folder: string;
let [from, to]: Database[] = [];
let worked: TestApp;
beforeAll(async () => {
  folder = scratchFolder('restore');
  from = await freshDatabase();
  to = await freshDatabase();
  worked = await testApp({ database: from });
  await createTeamWithLeads(worked);
}, 120_000);
afterAll(async () => {
  await worked.close();
  await from?.close();
  await to?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Users who assign businesses one after the other until stopped; returns those that were acknowledged. */
function keepAssigning() {
  const acknowledged: number[] = [];
  let stopped = false;
  const work = async (writer: number) => {
    const admin = await worked.user('admin');
    for (let nth = 0; !stopped; nth += 1) {
      const values = { placeId: `${writer}-${nth}`, name: `Shop ${nth}` };
      const [business] = await worked.db.insert(businesses).values(values).returning();
      const body = { userId: admin.id, businessId: business?.id ?? 0 };
      const response = await worked.request(admin, assignBusiness, { body });
      if (response.status === 201) acknowledged.push(response.body.id);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => work(writer));
  return {
    acknowledged,
    stop: async () => {
      stopped = true;
      await Promise.all(writers);
    },
  };
}

test('restore test: a backup made while users work is a consistent snapshot, and a restored copy is usable', async () => {
  if (!from || !to) throw new Error('no databases');
  const { length: ownLeads } = await worked.db.select().from(leads);
  const [, tomBefore] = await readTeamData(worked);
  const writing = keepAssigning();
  await expect.poll(() => writing.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(10);
  const before = [...writing.acknowledged];

  const file = join(folder, 'team.backup');
  const { pool } = from;
  const { counts } = await writeBackupFile((stream) => sendBackup(pool, stream), file);
  const behind = writing.acknowledged.length;
  await expect.poll(() => writing.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(behind);
  await writing.stop();
  await restoreBackup(to.pool, file, { replace: false });

  const restored = new Set((await to.db.select({ id: leads.id }).from(leads)).map(({ id }) => id));
  expect(restored.size).toBe(counts.user_businesses);
  expect(before.filter((id) => !restored.has(id))).toEqual([]);
  expect(restored.size).toBeLessThan(ownLeads + writing.acknowledged.length);
  // A lead comes with its history and its notification: none is there without the others.
  const { rows } = await to.db.execute(sql`select
    (select count(*)::int from user_businesses l where not exists (select from assignment_history h where h.user_business_id = l.id)) as without_history,
    (select count(*)::int from assignment_history where initial) - (select count(*)::int from user_businesses) as torn`);
  expect(rows).toEqual([{ without_history: 0, torn: 0 }]);

  const t = await testApp({ database: to });
  const [, tomAfter] = await readTeamData(t);
  expect(tomAfter).toEqual(tomBefore);
  expect(await assignAnotherBusiness(t)).toBeGreaterThan(Math.max(...restored));
  // Sessions are not restored.
  const { cookie } = await worked.user();
  expect((await t.request({ cookie }, getUser)).status).toBe(401);
  await t.close();
}, 120_000);
