import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mergeBusinesses, undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import { leadStatus } from '#contract/leads/lead.ts';
import { contactActivities, contactCredits, leadComments, leadNoteRevisions } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const PAIRS = 200;

test('merging and un-merging 200 random pairs leaves every row as it was', async () => {
  const t = await testApp({ ownDatabase: true });
  const admin = await t.user('admin');
  const holders = [await t.user(), await t.user(), await t.user()];
  const random = numbers('merge and un-merge');
  const pairs: [number, number][] = [];
  for (let made = 0; made < PAIRS; made += 1) {
    pairs.push([await randomLead(t, holders, random), await randomLead(t, holders, random)]);
  }
  const before = await hashTables(t);

  const merges: string[] = [];
  for (const [keptId, otherId] of pairs) {
    const body = { keptId, businessIds: [keptId, otherId] };
    const merged = await t.request(admin, mergeBusinesses, { body });
    expect(merged.status).toBe(200);
    merges.push(merged.body.id);
  }
  expect(await hashTables(t)).not.toEqual(before);
  for (const id of merges) {
    expect((await t.request(admin, undoMerge, { params: { id } })).body).toMatchObject({ left: [] });
  }

  expect(await hashTables(t)).toEqual(before);
  await t.close();
}, 120_000);

type Random = (below: number) => number;

/** The same numbers on every run. */
function numbers(seed: string): Random {
  let count = 0;
  return (below) => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() % below;
  };
}

/** Returns the id of its business. */
async function randomLead(t: TestApp, holders: TestUser[], random: Random): Promise<number> {
  const holder = holders[random(2)] as TestUser;
  const moment = () => new Date(Date.UTC(2026, 9, 1 + random(30), random(24))).toISOString();
  const maybe = <T>(value: T) => (random(2) ? value : null);
  const planned = maybe(moment());
  const archived = random(3) === 0;
  const { id, business } = await t.lead(
    holder,
    {
      status: leadStatus.options[random(leadStatus.options.length)] ?? 'new',
      viewed: random(2) === 0,
      archived,
      archivedAt: archived ? moment() : null,
      existingCustomer: random(4) === 0,
      notes: maybe(`Notes ${random(1_000)}`) ?? '',
      tags: ['Hot', 'Cold', 'Local'].filter(() => random(2)),
      customFields: random(2) ? { email: `jo${random(50)}@example.com` } : {},
      nextStepAt: planned,
      nextStepType: planned ? 'call' : null,
    },
    {
      name: `Business ${random(1_000)}`,
      phone: maybe(`01632 960${String(random(1_000)).padStart(3, '0')}`),
      phoneTyped: random(2) === 0,
      town: maybe('York'),
      latitude: 53 + random(100) / 100,
      longitude: -1,
    },
  );
  const common = { userBusinessId: id, description: `Text ${random(1_000)}` };
  if (planned) await t.db.insert(contactActivities).values({ ...common, type: 'call', scheduledAt: planned });
  for (let made = random(3); made > 0; made -= 1) {
    await t.db
      .insert(contactActivities)
      .values({ ...common, type: 'email', completedAt: moment(), createdBy: holder.id });
  }
  if (random(2))
    await t.db.insert(leadComments).values({ userBusinessId: id, text: 'Well done', createdBy: holder.id });
  if (random(2)) {
    const creditedAt = moment();
    const userId = (holders[random(3)] as TestUser).id;
    await t.db.insert(contactCredits).values({ leadId: id, userId, creditedAt });
    await t.db.execute(sql`update user_businesses set credited_at = ${creditedAt}::timestamptz where id = ${id}`);
  }
  if (random(2)) {
    await t.db
      .insert(leadNoteRevisions)
      .values({ userBusinessId: id, notes: 'Old', notesVersion: 0, replacedBy: holder.id });
  }
  await t.db.insert(notifications).values({
    userId: holder.id,
    title: 'Assigned',
    message: 'A lead',
    type: 'lead_assigned' as never,
    relatedUserBusinessId: id,
    leadIds: [id],
  });
  return business.id;
}

const TABLES = [
  'businesses',
  'user_businesses',
  'contact_activities',
  'lead_comments',
  'contact_credits',
  'assignment_history',
  'lead_note_revisions',
  'notifications',
  'lead_tags',
  'duplicate_pairs',
];

/** One hash of all rows per table. */
async function hashTables(t: TestApp) {
  const hashes: Record<string, unknown> = {};
  for (const table of TABLES) {
    const { rows } = await t.db.execute(
      sql`select count(*) as rows, md5(string_agg(t::text, ' ' order by t::text)) as hash from ${sql.raw(table)} t`,
    );
    hashes[table] = rows[0];
  }
  return hashes;
}
