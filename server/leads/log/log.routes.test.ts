import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import { activityOutcome } from '#contract/leads/follow-ups/follow-up.ts';
import { completeFollowUp, getFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import {
  addActivity,
  changeLeadStatus,
  changePhone,
  confirmPhone,
  deleteActivity,
  getLead,
  reassignLead,
} from '#contract/leads/leads.calls.ts';
import { logContact, undoLog } from '#contract/leads/log/log.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { contactCredits } from '#server/kit/db/schema.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

type Contact = NonNullable<Input<typeof logContact.byId>['body']>;
type Outcome = Contact['outcome'];

const NOW = '2026-11-16T09:00:00.000Z';
const EVENING = '2026-11-16T18:00:00.000Z';
const TOMORROW = '2026-11-17T10:00:00.000Z';
const NEXT_WEEK = '2026-11-23T10:00:00.000Z';
const PHONE = '020 7946 0018';

let t: TestApp;
/** The same database, nine hours later. */
let evening: TestApp;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  evening = await testApp({ now: EVENING });
  holder = await t.user();
});
afterAll(async () => {
  await evening.close();
  await t.close();
});

const withId = (id: number) => ({ params: { id } });
const log = (id: number, body: Contact, viewer: TestUser | null = holder) =>
  t.request(viewer, logContact.byId, { params: { id }, body });
const undo = (activityId: number, viewer: TestUser | null = holder) =>
  t.request(viewer, undoLog, { params: { activityId } });
const plan = (id: number, at = TOMORROW) =>
  t.request(holder, planFollowUp.byId, { params: { id }, body: { at, type: 'meeting', note: 'Ask for Sam' } });
const readFollowUp = async (id: number) => (await t.request(holder, getFollowUp.byId, withId(id))).body.followUp;
const readProfile = async (id: number, viewer = holder) => (await t.request(viewer, getLead.byId, withId(id))).body;
const readActivities = async (id: number) => (await readProfile(id)).userBusiness.contactActivities;
const countCredits = (id: number) => t.db.$count(contactCredits, eq(contactCredits.leadId, id));
const bodyFor = (outcome: Outcome): Contact =>
  outcome === 'call_back' ? { outcome, next: { at: NEXT_WEEK } } : { outcome };
const leadWithPhone = () => t.lead(holder, {}, { phone: PHONE });

describe.each(activityOutcome.options)('%s', (outcome) => {
  test.each(['holder', 'admin'] as const)('is logged by the %s', async (caller) => {
    const viewer = caller === 'holder' ? holder : await t.user('admin');
    const lead = await leadWithPhone();
    const { status, body } = await log(lead.id, { ...bodyFor(outcome), note: ' Rang twice ' }, viewer);
    expect(status).toBe(201);
    expect(body.activity).toMatchObject({
      type: 'call',
      outcome,
      description: 'Rang twice',
      completedAt: NOW,
      createdBy: viewer.id,
    });
    const expected = { call_back: 'recontact', spoke: 'in_progress', not_interested: 'closed_lost' };
    expect(body.userBusiness).toMatchObject({
      status: expected[outcome as keyof typeof expected] ?? 'new',
      lastContactedAt: NOW,
      nextStepAt: outcome === 'call_back' ? NEXT_WEEK : null,
    });
    expect((await readProfile(lead.id)).business.phoneIsWrong).toBe(outcome === 'wrong_number');
    expect(await countCredits(lead.id)).toBe(outcome in expected ? 1 : 0);
  });

  test.each([
    ['another user', 'user', 403, 'not_your_lead'],
    ['a manager', 'manager', 403, 'not_your_lead'],
    ['a signed-out caller', null, 401, 'not_authenticated'],
  ] as const)('is refused to %s, and changes nothing', async (_, role, status, code) => {
    const lead = await leadWithPhone();
    await plan(lead.id);
    const before = await readProfile(lead.id);
    const response = await log(lead.id, bodyFor(outcome), role && (await t.user(role)));
    expect(response).toMatchObject({ status, body: { code } });
    expect(await readProfile(lead.id)).toEqual(before);
    expect(await readFollowUp(lead.id)).toMatchObject({ at: TOMORROW });
  });

  test('makes an open follow-up this contact', async () => {
    const lead = await leadWithPhone();
    await plan(lead.id);
    const followUp = await readFollowUp(lead.id);
    const { body } = await log(lead.id, { ...bodyFor(outcome), note: 'Away' });
    expect(body.activity).toMatchObject({ id: followUp?.id, type: 'call', outcome, description: 'Ask for Sam\nAway' });
    expect(body.userBusiness.nextStepAt).toBe(outcome === 'call_back' ? NEXT_WEEK : null);
    expect(await readActivities(lead.id)).toHaveLength(1);
  });

  test('is undone as a whole', async () => {
    const lead = await leadWithPhone();
    await plan(lead.id);
    const before = await readProfile(lead.id);
    const followUp = await readFollowUp(lead.id);
    const { body } = await log(lead.id, { ...bodyFor(outcome), note: 'Away' });
    const undone = await undo(body.activity.id);
    expect(undone.status).toBe(200);
    const after = await readProfile(lead.id);
    const { updatedAt, ...restored } = after.userBusiness;
    expect(before).toMatchObject({ business: after.business, userBusiness: restored });
    expect(undone.body).toMatchObject({ id: lead.id, status: 'new', nextStepAt: TOMORROW, updatedAt });
    expect(await readFollowUp(lead.id)).toEqual(followUp);
    expect(await countCredits(lead.id)).toBe(0);
    expect(await undo(body.activity.id)).toMatchObject({ status: 404 });
  });
});

test('by uuid, with a type, and listed by its outcome where there is no note', async () => {
  const lead = await t.lead(holder);
  const body = { type: 'email', outcome: 'left_message', next: { at: TOMORROW, note: 'Ring' } } as const;
  const response = await t.request(holder, logContact.byUuid, { params: { uuid: lead.uuid }, body });
  expect(response.body).toMatchObject({
    activity: { type: 'email', outcome: 'left_message', description: '' },
    userBusiness: { status: 'recontact', nextStepAt: TOMORROW, nextStepType: 'call' },
  });
  const { items } = (await t.request(holder, listLeads, { query: { pageSize: 100 } })).body;
  const listed = items.find(({ userBusiness }) => userBusiness.id === lead.id);
  expect(listed?.latestActivity).toEqual({ type: 'email', text: 'left message' });
});

test.each([
  ['no outcome', {}],
  ['an unknown outcome', { outcome: 'rang' }],
  ['a call back without a time', { outcome: 'call_back' }],
  ['a next step of a business that is not interested', { outcome: 'not_interested', next: { at: TOMORROW } }],
  ['a next step in the past', { outcome: 'spoke', next: { at: '2020-01-01T00:00:00.000Z' } }],
  ['a note that is too long', { outcome: 'spoke', note: 'x'.repeat(5_001) }],
])('%s is refused, and nothing is written', async (_, body) => {
  const lead = await t.lead(holder);
  await plan(lead.id);
  const before = await readProfile(lead.id);
  expect(await log(lead.id, body as never)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await readProfile(lead.id)).toEqual(before);
});

test('a repeated Idempotency-Key logs once', async () => {
  const lead = await t.lead(holder);
  const send = () =>
    t.request(
      holder,
      logContact.byId,
      { params: { id: lead.id }, body: { outcome: 'spoke' } },
      { headers: { 'idempotency-key': 'the-same-touch' } },
    );
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(await readActivities(lead.id)).toHaveLength(1);
});

test('of 20 contacts logged at once, one completes the follow-up, and the others are activities of their own', async () => {
  const lead = await t.lead(holder);
  await plan(lead.id);
  const followUp = await readFollowUp(lead.id);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => log(lead.id, { outcome: 'spoke', note: `Call ${n}` })),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
  const activities = await readActivities(lead.id);
  expect(activities).toHaveLength(20);
  expect(activities.filter(({ id }) => id === followUp?.id)).toHaveLength(1);
  expect(activities.filter(({ description }) => description.startsWith('Ask for Sam'))).toHaveLength(1);
  expect(await readFollowUp(lead.id)).toBeNull();
  expect(await countCredits(lead.id)).toBe(1);
});

describe('the goal', () => {
  const meters = async (viewer: TestUser) => [
    (await t.request(viewer, getWeeklyContacts)).body.count,
    (await t.request(viewer, getMonthlyContacts)).body.count,
  ];

  test('an undone first contact takes its credit back, and a contact logged later earns it again', async () => {
    const own = await t.user();
    const lead = await t.lead(own);
    const first = await log(lead.id, { outcome: 'spoke' }, own);
    expect(await meters(own)).toEqual([1, 1]);
    await undo(first.body.activity.id, own);
    expect(await meters(own)).toEqual([0, 0]);
    await log(lead.id, { outcome: 'not_interested' }, own);
    expect(await meters(own)).toEqual([1, 1]);
  });

  test('undoing a later contact keeps the credit of the first', async () => {
    const own = await t.user();
    const lead = await t.lead(own);
    await t.request(own, changeLeadStatus.byId, { ...withId(lead.id), body: { status: 'recontact' } });
    const later = await log(lead.id, { outcome: 'spoke' }, own);
    expect((await undo(later.body.activity.id, own)).body.status).toBe('recontact');
    expect(await meters(own)).toEqual([1, 1]);
  });
});

describe('undoing', () => {
  const logged = async (contact: Contact = { outcome: 'call_back', next: { at: NEXT_WEEK } }) => {
    const lead = await t.lead(holder);
    const { body } = await log(lead.id, contact);
    return { lead, activityId: body.activity.id };
  };
  const refused = { status: 409, body: { code: 'not_undoable' } };

  test('an activity that was no follow-up is deleted, with the next step', async () => {
    const { lead, activityId } = await logged();
    expect((await undo(activityId)).body).toMatchObject({ status: 'new', nextStepAt: null, lastContactedAt: null });
    expect(await readActivities(lead.id)).toEqual([]);
    expect(await readFollowUp(lead.id)).toBeNull();
  });

  test('of 20 requests at once, one undoes it', async () => {
    const { lead, activityId } = await logged();
    const responses = await Promise.all(Array.from({ length: 20 }, () => undo(activityId)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(19);
    expect(await readActivities(lead.id)).toEqual([]);
  });

  test('is refused once the status or the next step has changed', async () => {
    for (const change of [
      (id: number) => evening.request(holder, changeLeadStatus.byId, { ...withId(id), body: { status: 'closed_won' } }),
      (id: number) => evening.request(holder, planFollowUp.byId, { ...withId(id), body: { at: TOMORROW } }),
      // The same time, another note.
      (id: number) =>
        evening.request(holder, planFollowUp.byId, { ...withId(id), body: { at: NEXT_WEEK, note: 'New' } }),
      async (id: number) => {
        const followUpId = (await readFollowUp(id))?.id ?? 0;
        return evening.request(holder, completeFollowUp, { params: { followUpId }, body: {} });
      },
    ]) {
      const { lead, activityId } = await logged();
      expect((await change(lead.id)).status).toBe(200);
      const before = await readProfile(lead.id);
      expect(await undo(activityId)).toMatchObject(refused);
      expect(await readProfile(lead.id)).toEqual(before);
    }
  });

  test('is for its author alone, while they may change the lead', async () => {
    const { lead, activityId } = await logged();
    const admin = await t.user('admin');
    expect(await undo(activityId, admin)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await undo(activityId, await t.user())).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
    expect(await undo(activityId, await t.user('manager'))).toMatchObject({ status: 403 });
    expect(await undo(activityId, null)).toMatchObject({ status: 401 });
    await t.request(holder, reassignLead.byId, { ...withId(lead.id), body: { newUserId: admin.id } });
    expect(await undo(activityId)).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
  });

  test('a contact that an admin logged is not undone after the lead has another holder', async () => {
    const admin = await t.user('admin');
    const lead = await t.lead(holder);
    const { body } = await log(lead.id, { outcome: 'spoke' }, admin);
    await t.request(admin, reassignLead.byId, { ...withId(lead.id), body: { newUserId: admin.id } });
    expect(await undo(body.activity.id, admin)).toMatchObject(refused);
    expect(await countCredits(lead.id)).toBe(1);
  });

  test('is refused for an activity that was added by hand or deleted', async () => {
    const lead = await t.lead(holder);
    const added = await t.request(holder, addActivity.byId, {
      ...withId(lead.id),
      body: { type: 'call', notes: 'Rang' },
    });
    expect(await undo(added.body.id)).toMatchObject(refused);
    const { activityId } = await logged();
    await t.request(holder, deleteActivity, { params: { activityId } });
    expect(await undo(activityId)).toMatchObject({ status: 404 });
  });

  test('keeps the last contact of a later activity', async () => {
    const { lead, activityId } = await logged({ outcome: 'spoke' });
    const body = { type: 'call', notes: 'Rang again' } as const;
    await evening.request(holder, addActivity.byId, { ...withId(lead.id), body });
    expect((await undo(activityId)).body).toMatchObject({ status: 'new', lastContactedAt: EVENING });
  });
});

test.each([
  ['within', 200, '2026-11-17T08:59:59.000Z'],
  ['after', 409, '2026-11-17T09:00:01.000Z'],
])('undoing %s 24 hours is responded to with %i', async (_, status, now) => {
  const lead = await t.lead(holder);
  const { body } = await log(lead.id, { outcome: 'spoke' });
  const nextDay = await testApp({ now });
  expect((await nextDay.request(holder, undoLog, { params: { activityId: body.activity.id } })).status).toBe(status);
  await nextDay.close();
});

describe('a wrong number', () => {
  const isWrong = async (id: number) => (await readProfile(id)).business.phoneIsWrong;

  test('is marked for every lead on the business, and a corrected one is right by itself', async () => {
    const lead = await leadWithPhone();
    const other = await t.user();
    await log(lead.id, { outcome: 'wrong_number' });
    expect(await isWrong(lead.id)).toBe(true);
    const { items } = (await t.request(holder, listLeads, { query: { pageSize: 100 } })).body;
    expect(items.find(({ userBusiness }) => userBusiness.id === lead.id)?.business.phoneIsWrong).toBe(true);

    const business = { params: { businessId: lead.businessId } };
    expect((await t.request(other, confirmPhone, business)).status).toBe(403);
    expect((await t.request(holder, confirmPhone, business)).body).toMatchObject({ phone: PHONE, phoneIsWrong: false });
    await log(lead.id, { outcome: 'wrong_number' });
    const corrected = await t.request(holder, changePhone, { ...business, body: { phone: '020 7946 0019' } });
    expect(corrected.body).toMatchObject({ phone: '020 7946 0019', phoneIsWrong: false });
    expect(await isWrong(lead.id)).toBe(false);
  });

  test('a business without a phone number has none to mark', async () => {
    const lead = await t.lead(holder);
    expect((await log(lead.id, { outcome: 'wrong_number' })).status).toBe(201);
    expect(await isWrong(lead.id)).toBe(false);
  });
});
