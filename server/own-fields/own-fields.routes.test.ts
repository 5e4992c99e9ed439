import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import * as calls from '#contract/leads/own-fields/own-fields.calls.ts';
import { deleteUser } from '#contract/users/users.calls.ts';
import { wakeOwnJob } from '#server/jobs/jobs.sql.ts';
import { jobs } from '#server/schema/jobs.ts';
import { leads } from '#server/schema/leads.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  t = await testApp();
  [admin, user] = [await t.user('admin'), await t.user()];
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.db.delete(ownFields);
});

const create = (body: object) => t.request(admin, calls.createOwnField, { body: body as never });
const change = (fieldId: number, body: object) =>
  t.request(admin, calls.changeOwnField, { params: { fieldId }, body: body as never });
const list = async () => (await t.request(user, calls.listOwnFields)).body.fields;
const names = async () => (await list()).map(({ name }) => name);
const archive = (fieldId: number) => t.request(admin, calls.archiveOwnField, { params: { fieldId } });
const remove = (fieldId: number, leads: number) =>
  t.request(admin, calls.deleteOwnField, { params: { fieldId }, body: { leads } });

test('an administrator adds a field, which everyone reads', async () => {
  const created = await create({ name: 'Tables', type: 'number', unit: 'tables', help: 'Inside only' });
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Tables', unit: 'tables', inProfile: true, inTable: true, onCard: false, archived: false },
  });
  expect(await list()).toEqual([created.body]);
});

test('a field is renamed and its choices change; its type and the ids of its choices stay', async () => {
  const { body: field } = await create({ name: 'Supplier', type: 'choice', choices: [{ label: 'A' }, { label: 'B' }] });
  const changed = await change(field.id, {
    name: 'Current supplier',
    choices: [{ id: '2', label: 'Bee' }, { label: 'C' }],
  });
  expect(changed.body).toMatchObject({
    ...{ id: field.id, name: 'Current supplier', type: 'choice' },
    choices: [
      { id: '2', label: 'Bee', retired: false },
      { id: '3', label: 'C', retired: false },
      { id: '1', label: 'A', retired: true },
    ],
  });
  expect((await change(field.id, { type: 'text' })).status).toBe(400);
  expect(await change(field.id, { choices: [{ id: '2', label: 'A' }] })).toMatchObject({
    status: 400,
    body: { message: 'An older choice has this name already', errors: [{ path: 'choices' }] },
  });
  expect((await change(field.id, { choices: [{ id: '9', label: 'Z' }] })).status).toBe(400);
  expect(await list()).toEqual([changed.body]);
});

test('names are used once, whatever their case, also by archived fields', async () => {
  const { body: first } = await create({ name: 'Tables', type: 'number' });
  await archive(first.id);
  const { body: second } = await create({ name: 'Chairs', type: 'number' });
  for (const refused of [await create({ name: 'TABLES', type: 'text' }), await change(second.id, { name: 'tables' })]) {
    expect(refused).toMatchObject({ status: 409, body: { code: 'duplicate_name' } });
  }
  expect((await change(second.id, { name: 'CHAIRS' })).status).toBe(200);
});

test('there are at most 40, also for requests at once', async () => {
  await t.db
    .insert(ownFields)
    .values(Array.from({ length: 38 }, (_, nth) => ({ name: `Field ${nth}`, type: 'text' as const, position: nth })));
  const all = await Promise.all([1, 2, 3].map((nth) => create({ name: `Extra ${nth}`, type: 'text' })));
  expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
  expect(await list()).toHaveLength(40);
});

test('fields are put in an order; those that are not named follow', async () => {
  const ids = [];
  for (const name of ['A', 'B', 'C']) ids.push((await create({ name, type: 'text' })).body.id);
  const [, second = 0, third = 0] = ids;
  const ordered = await t.request(admin, calls.orderOwnFields, { body: { ids: [third, second] } });
  expect(ordered.body.fields.map(({ name }) => name)).toEqual(['C', 'B', 'A']);
  expect((await t.request(admin, calls.orderOwnFields, { body: { ids: [third, 999_999] } })).status).toBe(404);
  expect(await names()).toEqual(['C', 'B', 'A']);
});

test('an archived field keeps its values, and is shown again', async () => {
  const { body: field } = await create({ name: 'Tables', type: 'number' });
  const lead = await t.lead(user, { ownFields: { [field.id]: 12 } });
  expect((await archive(field.id)).body.archived).toBe(true);
  expect((await archive(field.id)).body.archived, 'twice').toBe(true);
  const restored = await t.request(admin, calls.restoreOwnField, { params: { fieldId: field.id } });
  expect(restored.body).toEqual(field);
  const [stored] = await t.db.select().from(leads).where(eq(leads.id, lead.id));
  expect(stored?.ownFields).toEqual({ [field.id]: 12 });
});

test('only an archived field is deleted, with the confirmed number of values, as a job', async () => {
  const { body: field } = await create({ name: 'Tables', type: 'number' });
  const { body: other } = await create({ name: 'Chairs', type: 'number' });
  const values = { [field.id]: 1, [other.id]: 2 };
  const ids = [];
  for (let nth = 0; nth < 3; nth++) ids.push((await t.lead(user, { ownFields: values })).id);

  const params = { fieldId: field.id };
  expect((await t.request(admin, calls.countOwnFieldValues, { params })).body).toEqual({ leads: 3 });
  expect(await remove(field.id, 3)).toMatchObject({ status: 409, body: { code: 'field_not_archived' } });
  await archive(field.id);
  expect(await remove(field.id, 2)).toMatchObject({ status: 409, body: { code: 'count_changed', count: 3 } });

  const started = await remove(field.id, 3);
  expect(started).toMatchObject({ status: 200, body: { state: 'running', total: 3 } });
  expect(await names(), 'hidden at once').toEqual(['Chairs']);
  expect((await create({ name: 'Tables', type: 'text' })).status, 'the name is free').toBe(201);
  await t.app.jobs.run();
  const job = await t.request(admin, getJob, { params: { jobId: started.body.id } });
  expect(job.body).toMatchObject({ state: 'done', done: 3, success: 3, batchId: null });
  const rows = await t.db.select({ ownFields: leads.ownFields }).from(leads).where(eq(leads.userId, user.id));
  expect(rows.filter(({ ownFields }) => field.id in ownFields)).toEqual([]);
  expect(rows.filter(({ ownFields }) => other.id in ownFields)).toHaveLength(3);
  expect(await t.db.$count(ownFields, eq(ownFields.id, field.id))).toBe(0);
});

test('what a deleted account has left of a field is deleted by the product itself', async () => {
  const other = await t.user('admin');
  const { body: field } = await create({ name: 'Tables', type: 'number' });
  const { body: kept } = await create({ name: 'Chairs', type: 'number' });
  const lead = await t.lead(user, { ownFields: { [field.id]: 1, [kept.id]: 2 } });
  await archive(field.id);
  await t.db.transaction(async (tx) => {
    await tx.update(ownFields).set({ state: 'deleting' }).where(eq(ownFields.id, field.id));
    const input = { fieldId: field.id, after: 0 };
    // Not yet due.
    await tx.insert(jobs).values({
      id: randomUUID(),
      kind: 'delete-field',
      userId: other.id,
      input,
      total: 1,
      runAt: '2099-01-01T00:00:00Z',
    });
  });
  const readValues = async () => (await t.db.select().from(leads).where(eq(leads.id, lead.id)))[0]?.ownFields;
  const runOwnJob = async () => {
    await wakeOwnJob(t.db, 'delete-left-fields');
    await t.app.jobs.run();
  };
  await runOwnJob();
  expect(await readValues(), 'its own job deletes it').toEqual({ [field.id]: 1, [kept.id]: 2 });
  await t.request(admin, deleteUser, { params: { id: other.id } });
  await runOwnJob();
  expect(await readValues()).toEqual({ [kept.id]: 2 });
  expect(await t.db.$count(ownFields, eq(ownFields.id, field.id))).toBe(0);
});

const countWaiting = async () =>
  (
    await t.db.execute(
      sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  ).rowCount;

test('an administrator who was demoted meanwhile is refused', async () => {
  const { body: field } = await create({ name: 'Tables', type: 'number' });
  const demoted = await t.user('admin');
  const params = { fieldId: field.id };
  for (const request of [
    () => t.request(demoted, calls.createOwnField, { body: { name: 'Chairs', type: 'number' } }),
    () => t.request(demoted, calls.changeOwnField, { params, body: { name: 'Chairs' } }),
    () => t.request(demoted, calls.orderOwnFields, { body: { ids: [field.id] } }),
    () => t.request(demoted, calls.archiveOwnField, { params }),
    () => t.request(demoted, calls.restoreOwnField, { params }),
    () => t.request(demoted, calls.deleteOwnField, { params, body: { leads: 0 } }),
  ]) {
    await t.db.update(users).set({ role: 'admin' }).where(eq(users.id, demoted.id));
    let response: ReturnType<typeof request> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.update(users).set({ role: 'user' }).where(eq(users.id, demoted.id));
      // The guard lets it through, because the change is not yet committed.
      response = request();
      await expect.poll(countWaiting, { timeout: 10_000 }).toBe(1);
    });
    expect((await response)?.status).toBe(403);
  }
  expect(await list()).toEqual([field]);
});

test('what is done to a field is audited, without its texts', async () => {
  const { body: field } = await create({ name: 'Secret plan', type: 'text' });
  await change(field.id, { help: 'Secret help' });
  await archive(field.id);
  const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'field_changed' } })).body;
  expect(items.slice(0, 3).map(({ details }) => details)).toEqual(
    ['archive', 'change', 'create'].map((verb) => ({ verb, fieldId: field.id })),
  );
});
