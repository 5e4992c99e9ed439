import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { completeFollowUp, getFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { ActivityType } from '#contract/leads/lead.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import {
  addActivity,
  changeLeadStatus,
  changePhone,
  confirmPhone,
  deleteActivity,
  getLead,
} from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { DEFAULT_OUTCOMES, OUTCOME, STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { contactCredits } from '#server/schema/leads.ts';
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
const undo = (logged: { headers: Record<string, unknown> }, viewer = holder) =>
  t.request(viewer, undoChanges, { params: { batchId: String(logged.headers[BATCH_HEADER]) } });
const plan = (id: number, at = TOMORROW) =>
  t.request(holder, planFollowUp.byId, { params: { id }, body: { at, type: 'meeting', note: 'Ask for Sam' } });
const readFollowUp = async (id: number) => (await t.request(holder, getFollowUp.byId, withId(id))).body.followUp;
const readProfile = async (id: number, viewer = holder) => (await t.request(viewer, getLead.byId, withId(id))).body;
const readActivities = async (id: number) => (await readProfile(id)).userBusiness.contactActivities;
const countCredits = (id: number) => t.db.$count(contactCredits, eq(contactCredits.leadId, id));
const bodyFor = (outcome: Outcome): Contact =>
  outcome === 'call_back' ? { outcome, next: { at: NEXT_WEEK } } : { outcome };
const leadWithPhone = () => t.lead(holder, {}, { phone: PHONE });

describe.each(STANDARD_OUTCOMES)('%s', (outcome) => {
  test.each(['holder', 'admin'] as const)('is logged by the %s', async (caller) => {
    const viewer = caller === 'holder' ? holder : await t.user('admin');
    const lead = await leadWithPhone();
    const { status, body } = await log(lead.id, { ...bodyFor(outcome), note: ' Rang twice ' }, viewer);
    expect(status).toBe(201);
    expect(body.activity).toMatchObject({
      type: OUTCOME[outcome].type,
      outcome,
      description: 'Rang twice',
      completedAt: NOW,
      createdBy: viewer.id,
    });
    const reached = { spoke: 'in_progress', interested: 'in_progress', met_owner: 'in_progress' };
    const expected = { ...reached, call_back: 'recontact', not_interested: 'closed_lost' };
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
    const { type } = OUTCOME[outcome];
    expect(body.activity).toMatchObject({ id: followUp?.id, type, outcome, description: 'Away' });
    expect(body.userBusiness.nextStepAt).toBe(outcome === 'call_back' ? NEXT_WEEK : null);
    expect(await readActivities(lead.id)).toHaveLength(1);
  });

  test('is undone as a whole', async () => {
    const lead = await leadWithPhone();
    await plan(lead.id);
    const before = await readProfile(lead.id);
    const followUp = await readFollowUp(lead.id);
    const logged = await log(lead.id, { ...bodyFor(outcome), note: 'Away' });
    const undone = await undo(logged);
    expect(undone).toMatchObject({ status: 200, body: { left: [], creditsKept: 0 } });
    const after = await readProfile(lead.id);
    const { updatedAt: _, ...restored } = after.userBusiness;
    expect(before).toMatchObject({ business: after.business, userBusiness: restored });
    expect(await readFollowUp(lead.id)).toEqual(followUp);
    expect(await countCredits(lead.id)).toBe(0);
    expect(await undo(logged)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
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
  expect(listed?.latestActivity).toEqual({ type: 'email', text: '', outcome: 'left_message' });
});

test("an outcome of the team's own is logged once an administrator has named it, also when it is no longer shown", async () => {
  const admin = await t.user('admin');
  const own = { label: 'Sent a sample', reached: true, offered: true, next: null };
  const setOwn = (rule: object | null) =>
    t.request(admin, changeTeamSettings, {
      body: { outcomes: rule && { ...DEFAULT_OUTCOMES, own_visit_1: { ...own, ...rule } } },
    });
  const lead = await t.lead(holder);
  const refusal = { status: 400, body: { code: 'validation_failed', errors: [{ path: 'outcome' }] } };
  expect(await log(lead.id, { outcome: 'own_visit_1' })).toMatchObject(refusal);
  const { body: planned } = await plan(lead.id);
  const complete = async (outcome: Outcome) => {
    const followUpId = (await readFollowUp(planned.id))?.id ?? 0;
    return t.request(holder, completeFollowUp, { params: { followUpId }, body: { outcome } });
  };
  expect(await complete('own_visit_1')).toMatchObject(refusal);
  await setOwn({});
  expect((await complete('own_visit_1')).status).toBe(200);
  expect((await log(lead.id, { outcome: 'own_visit_1' })).body).toMatchObject({
    activity: { type: 'meeting', outcome: 'own_visit_1' },
    userBusiness: { status: 'in_progress' },
  });
  await setOwn({ offered: false });
  expect((await log(lead.id, { outcome: 'own_visit_1' })).status).toBe(201);
  await setOwn(null);
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
  expect(first.headers[BATCH_HEADER]).toBeTruthy();
  expect(second.headers[BATCH_HEADER]).toBe(first.headers[BATCH_HEADER]);
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
  expect(await readFollowUp(lead.id)).toBeNull();
  expect(await countCredits(lead.id)).toBe(1);
});

describe('an activity that is added by hand', () => {
  const add = (id: number, type: ActivityType, notes = 'Rang', headers = {}) =>
    t.request(holder, addActivity.byId, { ...withId(id), body: { type, notes } }, { headers });
  const leadWithPlan = async () => {
    const lead = await t.lead(holder);
    await plan(lead.id);
    return lead;
  };

  test.each(['call', 'email', 'meeting'] as const)(
    'a %s completes the open follow-up, as the dialog does',
    async (type) => {
      const lead = await leadWithPlan();
      const followUp = await readFollowUp(lead.id);
      const { status, body } = await add(lead.id, type);
      expect(status).toBe(201);
      expect(body).toMatchObject({ id: followUp?.id, type, description: 'Rang', outcome: null, completedAt: NOW });
      expect(body.createdBy).toBe(holder.id);
      expect(await readFollowUp(lead.id)).toBeNull();
      const { userBusiness } = await readProfile(lead.id);
      expect(userBusiness).toMatchObject({ status: 'new', nextStepAt: null, lastContactedAt: NOW });
      expect(userBusiness.contactActivities).toHaveLength(1);
    },
  );

  test('a note leaves it', async () => {
    const lead = await leadWithPlan();
    const followUp = await readFollowUp(lead.id);
    expect((await add(lead.id, 'note')).status).toBe(201);
    expect(await readFollowUp(lead.id)).toEqual(followUp);
    expect((await readProfile(lead.id)).userBusiness.lastContactedAt).toBeNull();
  });

  test('is undone with the follow-up that it completed', async () => {
    const lead = await leadWithPlan();
    const followUp = await readFollowUp(lead.id);
    const added = await add(lead.id, 'call');
    expect(await undo(added)).toMatchObject({ status: 200, body: { left: [] } });
    expect(await readFollowUp(lead.id)).toEqual(followUp);
    expect(await readActivities(lead.id)).toEqual([]);
  });

  test('a repeated Idempotency-Key adds one', async () => {
    const lead = await leadWithPlan();
    const send = () => add(lead.id, 'call', 'Rang', { 'idempotency-key': 'the-same-press' });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(await readActivities(lead.id)).toHaveLength(1);
  });
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
    await undo(first, own);
    expect(await meters(own)).toEqual([0, 0]);
    await log(lead.id, { outcome: 'not_interested' }, own);
    expect(await meters(own)).toEqual([1, 1]);
  });

  test('undoing a later contact keeps the credit of the first', async () => {
    const own = await t.user();
    const lead = await t.lead(own);
    await t.request(own, changeLeadStatus.byId, { ...withId(lead.id), body: { status: 'recontact' } });
    const later = await log(lead.id, { outcome: 'spoke' }, own);
    await undo(later, own);
    expect((await readProfile(lead.id, own)).userBusiness.status).toBe('recontact');
    expect(await meters(own)).toEqual([1, 1]);
  });
});

describe('undoing', () => {
  const logOn = async (contact: Contact = { outcome: 'call_back', next: { at: NEXT_WEEK } }) => {
    const lead = await t.lead(holder);
    return { lead, logged: await log(lead.id, contact) };
  };

  test('deletes the activity and the next step', async () => {
    const { lead, logged } = await logOn();
    expect((await undo(logged)).status).toBe(200);
    const { userBusiness } = await readProfile(lead.id);
    expect(userBusiness).toMatchObject({ status: 'new', nextStepAt: null, lastContactedAt: null });
    expect(await readActivities(lead.id)).toEqual([]);
    expect(await readFollowUp(lead.id)).toBeNull();
  });

  test('can be undone: the contact is there again, with its credit', async () => {
    const { lead, logged } = await logOn({ outcome: 'spoke', note: 'Wants a quote', next: { at: NEXT_WEEK } });
    const before = await readProfile(lead.id);
    const followUp = await readFollowUp(lead.id);
    const undone = await undo(logged);
    expect((await undo(undone)).status).toBe(200);
    const { updatedAt: _, ...userBusiness } = before.userBusiness;
    const activities = userBusiness.contactActivities.map(({ updatedAt: __, ...activity }) => activity);
    expect(await readProfile(lead.id)).toMatchObject({
      userBusiness: { ...userBusiness, contactActivities: activities },
    });
    expect(await readFollowUp(lead.id)).toEqual(followUp);
    expect(await countCredits(lead.id)).toBe(1);
  });

  test.each([
    [
      'status',
      (id: number) => evening.request(holder, changeLeadStatus.byId, { ...withId(id), body: { status: 'closed_won' } }),
    ],
    [
      'next step',
      (id: number) => evening.request(holder, planFollowUp.byId, { ...withId(id), body: { at: TOMORROW } }),
    ],
  ])('leaves a %s that was changed since, and takes the rest back', async (_, change) => {
    const { lead, logged } = await logOn();
    expect((await change(lead.id)).status).toBe(200);
    const { status, nextStepAt } = (await readProfile(lead.id)).userBusiness;
    const { body } = await undo(logged);
    expect(body).toMatchObject({ takenBack: 1, left: [{ reason: 'changed', count: 1 }] });
    const { userBusiness } = await readProfile(lead.id);
    expect(userBusiness.contactActivities).toEqual([]);
    expect(userBusiness).toMatchObject(status === 'closed_won' ? { status } : { status: 'new', nextStepAt });
  });

  test('an activity that was deleted since is not taken back', async () => {
    const { logged } = await logOn({ outcome: 'no_answer' });
    await t.request(holder, deleteActivity, { params: { activityId: logged.body.activity.id } });
    expect(await undo(logged)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
  });

  test('an activity that was added by hand is deleted', async () => {
    const lead = await t.lead(holder);
    const body = { type: 'call', notes: 'Rang' } as const;
    const added = await t.request(holder, addActivity.byId, { ...withId(lead.id), body });
    expect((await undo(added)).status).toBe(200);
    expect(await readActivities(lead.id)).toEqual([]);
    expect((await readProfile(lead.id)).userBusiness.lastContactedAt).toBeNull();
  });

  test('keeps the last contact of a later activity', async () => {
    const { lead, logged } = await logOn({ outcome: 'spoke' });
    const body = { type: 'call', notes: 'Rang again' } as const;
    await evening.request(holder, addActivity.byId, { ...withId(lead.id), body });
    await undo(logged);
    expect((await readProfile(lead.id)).userBusiness).toMatchObject({ status: 'new', lastContactedAt: EVENING });
  });
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
