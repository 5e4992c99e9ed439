import { randomUUID } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { bulkAddTag, bulkRemoveTag } from '#contract/leads/bulk/bulk.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-03-10T09:00:00.000Z';
let t: TestApp;
let holder: TestUser;
let manager: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  [holder, manager] = [await t.user(), await t.user('manager')];
});
afterAll(() => t.close());

const tagsOf = async (ids: number[]) =>
  (await t.db.select().from(leads).where(inArray(leads.id, ids)).orderBy(leads.id)).map(({ tags }) => tags);

test('a tag is added to many leads and removed again; those that have it, or have 30, stay', async () => {
  const full = Array.from({ length: 30 }, (_, nth) => `tag ${nth}`);
  const [plain, tagged, crowded] = [
    await t.lead(holder),
    await t.lead(holder, { tags: ['HOT', 'Imported'] }),
    await t.lead(holder, { tags: full }),
  ];
  const ids = [plain.id, tagged.id, crowded.id];
  const added = await t.request(holder, bulkAddTag, { body: { ids, tag: ' hot ' } });
  expect(added.body.results).toEqual({
    success: 2,
    failed: 1,
    errors: [{ id: crowded.id, message: 'A business can have at most 30 tags' }],
  });
  expect(await tagsOf(ids)).toEqual([['hot'], ['HOT', 'Imported'], full]);

  const removed = await t.request(holder, bulkRemoveTag, { body: { ids, tag: 'HOT' } });
  expect(removed.body.results).toMatchObject({ success: 3, failed: 0 });
  expect(await tagsOf(ids)).toEqual([['hot'], ['Imported'], full]);
  await t.request(holder, undoChanges, { params: { batchId: String(removed.headers[BATCH_HEADER]) } });
  expect((await tagsOf([tagged.id])).flat().sort()).toEqual(['HOT', 'Imported']);
});

test("tags of others' leads and the reserved tag are refused, and nothing is changed", async () => {
  const lead = await t.lead(holder, { tags: ['Imported'] });
  const ids = [lead.id];
  for (const viewer of [await t.user(), manager]) {
    for (const call of [bulkAddTag, bulkRemoveTag])
      expect(await t.request(viewer, call, { body: { ids, tag: 'hot' } })).toMatchObject({ status: 403 });
  }
  for (const call of [bulkAddTag, bulkRemoveTag]) {
    const response = await t.request(holder, call, { body: { ids, tag: 'imported' } });
    expect(response.body.code).toBe('reserved_tag');
    expect((await t.request(holder, call, { body: { ids, tag: '' } })).status).toBe(400);
  }
  expect((await t.request(holder, bulkAddTag, { body: { ids, tag: 'a,b' } })).status).toBe(400);
  expect(await tagsOf(ids)).toEqual([['Imported']]);
});

test("another user's batch of the same name is another batch", async () => {
  const batch = randomUUID();
  const sent = await Promise.all(
    [await t.user(), await t.user()].map(async (user) => {
      const body = { ids: [(await t.lead(user)).id], batch, tag: 'hot' };
      return (await t.request(user, bulkAddTag, { body })).headers[BATCH_HEADER];
    }),
  );
  expect(new Set(sent).size).toBe(2);
  expect((await t.request(holder, bulkAddTag, { body: { ids: [1], batch: 'x', tag: 'hot' } })).status).toBe(400);
});
