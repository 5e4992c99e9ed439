import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import { addLead } from '#contract/leads/adding/adding.calls.ts';
import * as followUps from '#contract/leads/follow-ups/follow-ups.calls.ts';
import * as leadCalls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import * as trips from '#contract/leads/trip/trip.calls.ts';
import { MADE_AT_HEADER } from '#contract/made-at.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { idempotencyKeys } from '#server/kit/db/kit-tables.ts';
import { changeBatches } from '#server/schema/changes.ts';
import { contactCredits } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

/** A Monday. */
const NOW = '2026-11-16T09:00:00.000Z';
const FRIDAY = '2026-11-13T16:00:00.000Z';
const SATURDAY = '2026-11-14T10:00:00.000Z';
const NEXT_WEEK = '2026-11-23T10:00:00.000Z';
const TUESDAY = '2026-11-24T10:00:00.000Z';

let t: TestApp;
let saturday: TestApp;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  saturday = await testApp({ now: SATURDAY });
  // Administrators add leads, whatever the team's rules.
  holder = await t.user('admin');
});
afterAll(async () => {
  await saturday.close();
  await t.close();
});

type Lead = Awaited<ReturnType<TestApp['lead']>>;

/** One request of each call that a device may send later, and another one with the same parameters. */
const REQUESTS: Record<string, (lead: Lead, trip: { id: string }) => [AnyCall, object, object?]> = {
  log: ({ id }) => [logContact.byId, { params: { id }, body: { outcome: 'spoke' } }, { outcome: 'no_answer' }],
  activity: ({ id }) => [
    leadCalls.addActivity.byId,
    { params: { id }, body: { type: 'call', notes: 'Rang' } },
    { type: 'call', notes: 'Rang twice' },
  ],
  'follow-up': ({ id }) => [followUps.planFollowUp.byId, { params: { id }, body: { at: NEXT_WEEK } }, { at: TUESDAY }],
  notes: ({ id }) => [leadCalls.changeLeadNotes.byId, { params: { id }, body: { notes: 'Red door' } }, { notes: 'No' }],
  status: ({ id }) => [
    leadCalls.changeLeadStatus.byId,
    { params: { id }, body: { status: 'recontact' } },
    { status: 'new' },
  ],
  tag: ({ id }) => [leadCalls.addTag.byId, { params: { id }, body: { tag: 'Warm' } }, { tag: 'Cold' }],
  details: ({ id }) => [
    leadCalls.changeCustomFields.byId,
    { params: { id }, body: { customFields: { contactPerson: 'Sam' } } },
    { customFields: { contactPerson: 'Kit' } },
  ],
  phone: ({ businessId }) => [
    leadCalls.changePhone,
    { params: { businessId }, body: { phone: '020 7946 0018' } },
    { phone: '020 7946 0019' },
  ],
  website: ({ businessId }) => [
    leadCalls.changeWebsite,
    { params: { businessId }, body: { website: 'https://a.example' } },
    { website: 'https://b.example' },
  ],
  business: ({ id }) => [addLead, { body: { name: `Corner shop ${id}` } }, { name: `Other shop ${id}` }],
  'check-in': ({ id }, trip) => [
    trips.checkIn,
    { params: { tripId: trip.id, id }, body: { arrived: true } },
    { arrived: false },
  ],
};

const later = (madeAt: string, key: string = randomUUID()) => ({
  headers: { [MADE_AT_HEADER]: madeAt, 'idempotency-key': key },
});
const leadWithPosition = () => t.lead(holder, {}, { latitude: 53.8, longitude: -1.5 });
const start = async (lead: Lead) =>
  (
    await t.request(holder, trips.startTrip, {
      body: { start: { latitude: 53.8, longitude: -1.5, name: null }, stops: [lead.id] },
    })
  ).body;
const readProfile = async (id: number) => (await t.request(holder, leadCalls.getLead.byId, { params: { id } })).body;
const logLater = (id: number, body: object, madeAt = FRIDAY, key?: string) =>
  t.request(holder, logContact.byId, { params: { id }, body: body as never }, later(madeAt, key));
const readBatch = async (response: { headers: Record<string, unknown> }) => {
  const [batch] = await t.db
    .select()
    .from(changeBatches)
    .where(eq(changeBatches.id, String(response.headers[BATCH_HEADER])));
  return batch;
};

test('every call that may be sent later is idempotent', () => {
  const sentLater = Object.values(CALLS)
    .flat()
    .filter((call) => call.sentLater);
  expect(sentLater.filter(({ idempotent, access }) => !idempotent || access !== 'user')).toEqual([]);
  expect(sentLater.length).toBeGreaterThan(20);
});

describe.each(Object.entries(REQUESTS))('%s', (_, build) => {
  test('the same key acts once and gets the same answer, another body is refused', async () => {
    const lead = await leadWithPosition();
    const [call, input, other] = build(lead, await start(lead));
    const key = randomUUID();
    const send = (body?: object) =>
      t.request(holder, call, body ? { ...input, body } : input, later('2026-11-16T08:00:00.000Z', key));
    const first = await send();
    expect(first.status).toBeLessThan(300);
    const second = await send();
    expect(second.body).toEqual(first.body);
    expect(second.headers[BATCH_HEADER]).toBe(first.headers[BATCH_HEADER]);
    expect(await send(other)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  });

  test.each([
    ['more than seven days ago', '2026-11-09T08:59:59.000Z'],
    ['in the future', '2026-11-16T09:05:01.000Z'],
    ['no moment', 'yesterday'],
  ])('%s is refused', async (__, madeAt) => {
    const lead = await leadWithPosition();
    const [call, input] = build(lead, await start(lead));
    expect(await t.request(holder, call, input, later(madeAt))).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: MADE_AT_HEADER }] },
    });
  });

  test('a restored database knows what was recorded before the backup, although it has no keys', async () => {
    const lead = await leadWithPosition();
    const [call, input] = build(lead, await start(lead));
    const key = randomUUID();
    const send = () => t.request(holder, call, input, later(FRIDAY, key));
    const first = await send();
    expect(first.status).toBeLessThan(300);
    await t.db.delete(idempotencyKeys).where(and(eq(idempotencyKeys.userId, holder.id), eq(idempotencyKeys.key, key)));
    const second = await send();
    // A check-in is not in the change log, and made twice it is the same.
    if (call === trips.checkIn) expect(second.body).toEqual(first.body);
    else expect(second).toMatchObject({ status: 409, body: { code: 'already_recorded' } });
  });
});

describe('a contact that is sent later', () => {
  test('counts from when it was made', async () => {
    const own = await t.user();
    const lead = await t.lead(own);
    const sent = await t.request(
      own,
      logContact.byId,
      { params: { id: lead.id }, body: { outcome: 'spoke', next: { at: NEXT_WEEK } } },
      later(FRIDAY),
    );
    expect(sent.body.activity).toMatchObject({ completedAt: FRIDAY });
    expect(sent.body.userBusiness).toMatchObject({ status: 'in_progress', lastContactedAt: FRIDAY });
    expect(sent.body.userBusiness.updatedAt).not.toBe(FRIDAY);
    const [credit] = await t.db.select().from(contactCredits).where(eq(contactCredits.leadId, lead.id));
    expect(credit).toMatchObject({ creditedAt: FRIDAY });
    expect((await t.request(own, getWeeklyContacts)).body.count).toBe(0);
    expect((await t.request(own, getMonthlyContacts)).body.count).toBe(1);
    expect(await readBatch(sent)).toMatchObject({ at: FRIDAY, madeAt: FRIDAY, recordedAt: NOW });
    const { items } = (await t.request(own, getTimeline.byId, { params: { id: lead.id } })).body;
    expect(new Set(items.filter(({ kind }) => kind !== 'assignment').map(({ at }) => at))).toEqual(new Set([FRIDAY]));
  });

  test('a clock that is a little fast counts as now', async () => {
    const lead = await t.lead(holder);
    const sent = await logLater(lead.id, { outcome: 'spoke' }, '2026-11-16T09:04:00.000Z');
    expect(sent.body.activity.completedAt).toBe(NOW);
    expect(await readBatch(sent)).toMatchObject({ at: NOW, madeAt: null, recordedAt: null });
  });

  test('never moves the last contact backwards', async () => {
    const lead = await t.lead(holder);
    await saturday.request(holder, logContact.byId, { params: { id: lead.id }, body: { outcome: 'no_answer' } });
    const { body } = await logLater(lead.id, { outcome: 'spoke' });
    expect(body.activity.completedAt).toBe(FRIDAY);
    expect(body.userBusiness).toMatchObject({ lastContactedAt: SATURDAY, status: 'in_progress' });
    const { contactActivities } = (await readProfile(lead.id)).userBusiness;
    expect(contactActivities.map(({ outcome }) => outcome)).toEqual(['no_answer', 'spoke']);
  });

  test('leaves the status and the next step that were decided after it', async () => {
    const lead = await t.lead(holder);
    const admin = await t.user('admin');
    await saturday.request(admin, logContact.byId, {
      params: { id: lead.id },
      body: { outcome: 'call_back', next: { at: NEXT_WEEK } },
    });
    const sent = await logLater(lead.id, { outcome: 'spoke', next: { at: TUESDAY } });
    expect(sent.body.userBusiness).toMatchObject({ status: 'recontact', nextStepAt: NEXT_WEEK });
    // It follows the admin's change in the change log, too.
    expect(await readBatch(sent)).toMatchObject({ at: SATURDAY, madeAt: FRIDAY });
    expect((await readProfile(lead.id)).userBusiness.contactActivities).toHaveLength(2);
  });

  test('of one morning, each follows the one before', async () => {
    const lead = await t.lead(holder);
    await logLater(lead.id, { outcome: 'call_back', next: { at: '2026-11-13T17:00:00.000Z' } });
    const { body } = await logLater(lead.id, { outcome: 'met_owner' }, '2026-11-13T17:05:00.000Z');
    expect(body.userBusiness).toMatchObject({ status: 'in_progress', nextStepAt: null });
    expect((await readProfile(lead.id)).userBusiness.contactActivities).toHaveLength(2);
  });

  test('a business that was added offline is assigned since then', async () => {
    const added = await t.request(
      holder,
      addLead,
      { body: { name: `Shop ${randomUUID()}`, followUp: { at: '2026-11-14T16:00:00.000Z' } } },
      later(FRIDAY),
    );
    expect(added).toMatchObject({ status: 201, body: { assignedAt: FRIDAY } });
  });

  test('an arrival is when it was', async () => {
    const lead = await leadWithPosition();
    const trip = await start(lead);
    const input = { params: { tripId: trip.id, id: lead.id }, body: { arrived: true } };
    const { body } = await t.request(holder, trips.checkIn, input, later('2026-11-16T08:15:00.000Z'));
    expect(body.stops).toMatchObject([{ arrivedAt: '2026-11-16T08:15:00.000Z' }]);
  });

  test('other calls do not read the moment', async () => {
    const lead = await t.lead(holder);
    const archived = await t.request(holder, leadCalls.archiveLead.byId, { params: { id: lead.id } }, later('never'));
    expect(archived.status).toBe(200);
  });
});

describe('what another user has changed meanwhile', () => {
  const refused = (current: object) => ({ status: 409, body: { code: 'stale_field', current } });

  test('a status', async () => {
    const { id } = await t.lead(holder, { status: 'qualified' });
    const change = (body: { status: 'proposal'; before: 'new' | 'qualified' }) =>
      t.request(holder, leadCalls.changeLeadStatus.byId, { params: { id }, body });
    expect(await change({ status: 'proposal', before: 'new' })).toMatchObject(refused({ status: 'qualified' }));
    expect((await change({ status: 'proposal', before: 'qualified' })).body.status).toBe('proposal');
    // There already.
    expect((await change({ status: 'proposal', before: 'new' })).status).toBe(200);
  });

  test('a detail', async () => {
    const { id } = await t.lead(holder, { customFields: { contactPerson: 'Kit' } });
    const change = (before: string) =>
      t.request(holder, leadCalls.changeCustomFields.byId, {
        params: { id },
        body: { customFields: { contactPerson: 'Sam' }, before: { contactPerson: before } },
      });
    expect(await change('')).toMatchObject(refused({ contactPerson: 'Kit' }));
    expect((await change('Kit')).body.customFields).toEqual({ contactPerson: 'Sam' });
  });

  test('a phone number and a website', async () => {
    const { businessId } = await t.lead(holder, {}, { phone: '020 7946 0018', website: 'https://old.example/' });
    const phone = (before: string) =>
      t.request(holder, leadCalls.changePhone, { params: { businessId }, body: { phone: '020 7946 0019', before } });
    expect(await phone('')).toMatchObject(refused({ phone: '020 7946 0018' }));
    expect((await phone('020 7946 0018')).body.phone).toBe('020 7946 0019');
    const website = (before: string) =>
      t.request(holder, leadCalls.changeWebsite, { params: { businessId }, body: { website: 'new.example', before } });
    expect(await website('')).toMatchObject(refused({ website: 'https://old.example/' }));
    expect((await website('https://old.example/')).status).toBe(200);
  });

  test('a next step', async () => {
    const { id } = await t.lead(holder);
    const plan = (at: string, before?: string | null) =>
      t.request(holder, followUps.planFollowUp.byId, {
        params: { id },
        body: { at, ...(before !== undefined && { before }) },
      });
    expect((await plan(NEXT_WEEK, null)).status).toBe(200);
    expect(await plan(TUESDAY, null)).toMatchObject(refused({ followUp: { at: NEXT_WEEK } }));
    expect((await plan(TUESDAY, NEXT_WEEK)).body.nextStepAt).toBe(TUESDAY);
  });
});
