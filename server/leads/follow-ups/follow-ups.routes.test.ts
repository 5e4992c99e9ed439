import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { bulkDropFollowUps, bulkPlanFollowUp, listLeads } from '#contract/leads/lead-lists.calls.ts';
import {
  archiveLead,
  deleteActivity,
  getLead,
  markExistingCustomer,
  reassignLead,
} from '#contract/leads/leads.calls.ts';
import { MAX_ACTIVITY_NOTES } from '#contract/leads/split-notes.ts';
import { contactActivities, leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-16T09:00:00.000Z';
const TOMORROW = '2026-11-17T10:00:00.000Z';
const NEXT_WEEK = '2026-11-23T10:00:00.000Z';

let t: TestApp;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  holder = await t.user();
});
afterAll(() => t.close());

const plan = (id: number, body: object, viewer = holder) =>
  t.request(viewer, calls.planFollowUp.byId, { params: { id }, body: body as never });
const read = async (id: number) => (await t.request(holder, calls.getFollowUp.byId, { params: { id } })).body.followUp;
const complete = (followUpId: number, body: object = {}, viewer = holder) =>
  t.request(viewer, calls.completeFollowUp, { params: { followUpId }, body });
const drop = (followUpId: number, viewer = holder) => t.request(viewer, calls.dropFollowUp, { params: { followUpId } });
const activities = async (id: number) =>
  (await t.request(holder, getLead.byId, { params: { id } })).body.userBusiness.contactActivities;

/** As stored, the oldest first. */
const stored = (leadId: number) =>
  t.db
    .select()
    .from(contactActivities)
    .where(eq(contactActivities.userBusinessId, leadId))
    .orderBy(contactActivities.id);

async function leadWithFollowUp(body: object = { at: TOMORROW, note: 'Ask for Sam' }) {
  const lead = await t.lead(holder);
  await plan(lead.id, body);
  const followUp = await read(lead.id);
  if (!followUp) throw new Error('Nothing was planned');
  return { lead, followUp };
}

describe('planning', () => {
  test('the next step is stored with the lead, and is no activity yet', async () => {
    const lead = await t.lead(holder);
    const { status, body } = await plan(lead.id, { at: TOMORROW, note: 'Ask for Sam' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ nextStepAt: TOMORROW, nextStepType: 'call', lastContactedAt: null });
    expect(await read(lead.id)).toMatchObject({
      type: 'call',
      at: TOMORROW,
      note: 'Ask for Sam',
      createdBy: holder.id,
    });
    expect(await activities(lead.id)).toEqual([]);
    const { items } = (await t.request(holder, listLeads, { query: { pageSize: 100 } })).body;
    const listed = items.find(({ userBusiness }) => userBusiness.id === lead.id);
    expect(listed).toMatchObject({ userBusiness: { nextStepAt: TOMORROW }, latestActivity: null });
  });

  test('a second plan moves the first', async () => {
    const { lead, followUp } = await leadWithFollowUp();
    const { body } = await plan(lead.id, { type: 'meeting', at: NEXT_WEEK });
    expect(body).toMatchObject({ nextStepAt: NEXT_WEEK, nextStepType: 'meeting' });
    expect(await read(lead.id)).toMatchObject({ id: followUp.id, type: 'meeting', at: NEXT_WEEK, note: '' });
  });

  test.each([
    ['no time', {}],
    ['a time that is none', { at: 'tomorrow' }],
    ['the day before yesterday', { at: '2026-11-14T10:00:00.000Z' }],
    ['in three years', { at: '2029-11-17T10:00:00.000Z' }],
    ['an unknown type', { at: TOMORROW, type: 'letter' }],
    ['a note that is too long', { at: TOMORROW, note: 'x'.repeat(1_001) }],
  ])('%s is refused, and nothing is planned', async (_, body) => {
    const lead = await t.lead(holder);
    expect(await plan(lead.id, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await read(lead.id)).toBeNull();
  });

  test.each(['user', 'manager'] as const)('a %s who does not hold the lead is refused', async (role) => {
    const { lead, followUp } = await leadWithFollowUp();
    const other = await t.user(role);
    for (const { status, body } of [
      await plan(lead.id, { at: NEXT_WEEK }, other),
      await complete(followUp.id, {}, other),
      await drop(followUp.id, other),
    ]) {
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_your_lead' });
    }
    expect(await read(lead.id)).toEqual(followUp);
  });
});

describe('completing', () => {
  test('makes it an activity with its outcome, counts as a contact and leaves no next step', async () => {
    const { lead, followUp } = await leadWithFollowUp();
    const { status, body } = await complete(followUp.id, { outcome: 'spoke', note: 'Wants a quote' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ nextStepAt: null, nextStepType: null, lastContactedAt: NOW });
    expect(await activities(lead.id)).toMatchObject([
      { id: followUp.id, description: 'Ask for Sam\nWants a quote', outcome: 'spoke', completedAt: NOW },
    ]);
    expect(await read(lead.id)).toBeNull();
  });

  test('keeps the note that is planned when the lead is locked', async () => {
    const { lead, followUp } = await leadWithFollowUp();
    let completing: ReturnType<typeof complete> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.select().from(leads).where(eq(leads.id, lead.id)).for('update');
      completing = complete(followUp.id, { note: 'Done' });
      await expect
        .poll(async () => (await tx.execute(sql`select from pg_locks where not granted`)).rows.length)
        .toBeGreaterThan(0);
      await tx
        .update(contactActivities)
        .set({ description: 'Ask for Jo' })
        .where(eq(contactActivities.id, followUp.id));
    });
    expect((await completing)?.status).toBe(200);
    expect(await activities(lead.id)).toMatchObject([{ description: 'Ask for Jo\nDone' }]);
  });

  test('a planned note that no longer fits becomes an activity of its own, and comes back by undoing', async () => {
    const { lead, followUp } = await leadWithFollowUp();
    const note = 'x'.repeat(MAX_ACTIVITY_NOTES);
    const completed = await complete(followUp.id, { outcome: 'spoke', note });
    expect((await activities(lead.id)).toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: followUp.id, type: 'call', description: note },
      { type: 'note', description: 'Ask for Sam', createdBy: holder.id },
    ]);
    await t.request(holder, undoChanges, { params: { batchId: String(completed.headers[BATCH_HEADER]) } });
    expect(await activities(lead.id)).toEqual([]);
    expect(await read(lead.id)).toMatchObject({ id: followUp.id, note: 'Ask for Sam' });
  });

  test('through a program is done by its user, not by the one who planned it', async () => {
    const planner = await t.user('admin');
    const lead = await t.lead(holder);
    await plan(lead.id, { at: TOMORROW, note: 'Ask for Sam' }, planner);
    const followUpId = (await read(lead.id))?.id ?? 0;
    const program = await t.program(holder, { rights: 'write' });
    const body = { outcome: 'spoke', note: 'Done' } as const;
    expect((await t.request(program, calls.completeFollowUp, { params: { followUpId }, body })).status).toBe(200);
    expect(await stored(lead.id)).toMatchObject([{ id: followUpId, createdBy: holder.id, program: program.name }]);
  });

  test('keeps the program through which a note was planned, where it becomes an activity of its own', async () => {
    const lead = await t.lead(holder);
    const [planner, completer] = [
      await t.program(holder, { rights: 'write' }),
      await t.program(holder, { rights: 'write' }),
    ];
    const planned = { type: 'call', at: TOMORROW, note: 'Ask for Sam' } as const;
    await t.request(planner, calls.planFollowUp.byId, { params: { id: lead.id }, body: planned });
    const followUpId = (await read(lead.id))?.id ?? 0;
    const body = { outcome: 'spoke', note: 'x'.repeat(MAX_ACTIVITY_NOTES) } as const;
    const done = await t.request(completer, calls.completeFollowUp, { params: { followUpId }, body });
    expect(await stored(lead.id)).toMatchObject([
      { id: followUpId, program: completer.name },
      { description: 'Ask for Sam', program: planner.name },
    ]);
    await t.request(holder, undoChanges, { params: { batchId: String(done.headers[BATCH_HEADER]) } });
    expect(await stored(lead.id)).toMatchObject([{ id: followUpId, completedAt: null, program: planner.name }]);
  });

  test('can plan the next one in the same request', async () => {
    const { lead, followUp } = await leadWithFollowUp();
    const { body } = await complete(followUp.id, { outcome: 'no_answer', next: { at: NEXT_WEEK } });
    expect(body).toMatchObject({ nextStepAt: NEXT_WEEK, nextStepType: 'call' });
    expect(await read(lead.id)).not.toMatchObject({ id: followUp.id });
    expect(await activities(lead.id)).toHaveLength(1);
  });

  test('a planned note is no contact', async () => {
    const { followUp } = await leadWithFollowUp({ type: 'note', at: TOMORROW, note: 'Look at the menu' });
    expect((await complete(followUp.id)).body.lastContactedAt).toBeNull();
  });

  test('with an invalid next step nothing is completed', async () => {
    const { lead, followUp } = await leadWithFollowUp();
    expect(await complete(followUp.id, { next: { at: '2020-01-01T00:00:00.000Z' } })).toMatchObject({ status: 400 });
    expect(await read(lead.id)).toEqual(followUp);
  });

  test('of 20 requests at once, one completes it and plans the next, and the others are refused', async () => {
    const { lead, followUp } = await leadWithFollowUp();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => complete(followUp.id, { outcome: 'spoke', next: { at: NEXT_WEEK } })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'follow_up_completed')).toHaveLength(19);
    expect(await activities(lead.id)).toHaveLength(1);
    expect(await read(lead.id)).toMatchObject({ at: NEXT_WEEK });
  });

  test('one that does not exist is 404', async () => {
    expect(await complete(2_000_000_000)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

test('dropping deletes it, once', async () => {
  const { lead, followUp } = await leadWithFollowUp();
  expect((await drop(followUp.id)).body).toMatchObject({ nextStepAt: null, nextStepType: null });
  expect(await read(lead.id)).toBeNull();
  expect(await activities(lead.id)).toEqual([]);
  expect(await drop(followUp.id)).toMatchObject({ status: 404 });
});

test('a completed follow-up can be deleted as an activity, an open one cannot', async () => {
  const { followUp } = await leadWithFollowUp();
  const remove = () => t.request(holder, deleteActivity, { params: { activityId: followUp.id } });
  expect(await remove()).toMatchObject({ status: 404 });
  await complete(followUp.id);
  expect(await drop(followUp.id)).toMatchObject({ status: 409, body: { code: 'follow_up_completed' } });
  expect((await remove()).status).toBe(200);
});

test('a reassigned lead keeps its follow-up', async () => {
  const { lead, followUp } = await leadWithFollowUp();
  const target = await t.user();
  await t.request(holder, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: target.id } });
  expect((await complete(followUp.id, {}, target)).status).toBe(200);
});

test('a bulk plan moves what is planned, plans the others, and leaves out leads of other users', async () => {
  const { lead: planned, followUp } = await leadWithFollowUp();
  const unplanned = await t.lead(holder);
  const other = await t.lead(await t.user());
  const ids = [planned.id, unplanned.id, other.id];
  const bulk = (body: object) => t.request(holder, bulkPlanFollowUp, { body: { ids, ...body } as never });

  expect(await bulk({ at: '1999-01-01T00:00:00.000Z' })).toMatchObject({ status: 400 });
  const { body } = await bulk({ at: NEXT_WEEK, note: 'Trade fair' });
  expect(body.results).toMatchObject({ success: 2, failed: 1, errors: [{ id: other.id }] });
  expect(await read(planned.id)).toMatchObject({ id: followUp.id, at: NEXT_WEEK, note: 'Trade fair' });
  expect(await read(unplanned.id)).toMatchObject({ type: 'call', at: NEXT_WEEK });
});

test.each([
  ['archiving', archiveLead, { archived: true }],
  ['marking as an existing customer', markExistingCustomer, { existingCustomer: true }],
] as const)('%s keeps the follow-up, or drops it when asked to', async (_, call, changed) => {
  for (const body of [undefined, {}, { dropFollowUp: false }]) {
    const { lead, followUp } = await leadWithFollowUp();
    const response = await t.request(holder, call.byId, { params: { id: lead.id }, ...(body && { body }) });
    expect(response.body).toMatchObject({ ...changed, nextStepAt: TOMORROW });
    expect(await read(lead.id)).toEqual(followUp);
  }
  const { lead } = await leadWithFollowUp();
  const response = await t.request(holder, call.byId, { params: { id: lead.id }, body: { dropFollowUp: true } });
  expect(response.body).toMatchObject({ ...changed, nextStepAt: null, nextStepType: null });
  expect(await read(lead.id)).toBeNull();
});

test('a bulk drop deletes what is planned, and leaves out leads of other users', async () => {
  const { lead: planned } = await leadWithFollowUp();
  const unplanned = await t.lead(holder);
  const other = await t.user();
  const others = await t.lead(other);
  await plan(others.id, { at: TOMORROW }, other);
  const { body } = await t.request(holder, bulkDropFollowUps, { body: { ids: [planned.id, unplanned.id, others.id] } });
  expect(body.results).toMatchObject({ success: 2, failed: 1, errors: [{ id: others.id }] });
  expect(await read(planned.id)).toBeNull();
  const kept = await t.request(other, calls.getFollowUp.byId, { params: { id: others.id } });
  expect(kept.body.followUp).toMatchObject({ at: TOMORROW });
});
