import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import { dropFollowUp, getFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { changesOneLead } from '#contract/leads/lead-call.ts';
import * as leads from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { createParameters } from '#server/testing/access/call-parameters.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  t = await testApp();
  user = await t.user();
});
afterAll(() => t.close());

const readLead = async (id: number) =>
  (await t.request(user, leads.getLead.byId, { params: { id } })).body.userBusiness;
const changeStatus = (id: number, status: string, headers: Record<string, string>) =>
  t.request(user, leads.changeLeadStatus.byId, { params: { id }, body: { status } as never }, { headers });

test('a change of the lead that was read is made, one of an older one is refused with the current lead', async () => {
  const { id } = await t.lead(user);
  const match = { 'if-match': `"${(await readLead(id)).updatedAt}"` };
  const changed = await changeStatus(id, 'recontact', match);
  expect(changed).toMatchObject({ status: 200, body: { status: 'recontact' } });
  const refused = await changeStatus(id, 'in_progress', match);
  expect(refused).toMatchObject({ status: 412, body: { code: 'lead_changed', current: { id, status: 'recontact' } } });
  expect((await readLead(id)).status).toBe('recontact');
  const again = await changeStatus(id, 'in_progress', { 'if-match': `"${changed.body.updatedAt}"` });
  expect(again.status).toBe(200);
});

test('of twenty programs that have read the same lead, one changes it', async () => {
  const { id } = await t.lead(user);
  const match = { 'if-match': `"${(await readLead(id)).updatedAt}"` };
  const tags = Array.from({ length: 20 }, (_, nth) => `tag ${nth}`);
  const responses = await Promise.all(
    tags.map((tag) => t.request(user, leads.addTag.byId, { params: { id }, body: { tag } }, { headers: match })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await readLead(id)).tags).toHaveLength(1);
});

test.each(['*', undefined])('with %s it is made whatever the lead is', async (value) => {
  const { id } = await t.lead(user);
  await changeStatus(id, 'recontact', {});
  expect((await changeStatus(id, 'qualified', value ? { 'if-match': value } : {})).status).toBe(200);
});

test.each<[string, AnyCall, object]>([
  ['a status', leads.changeLeadStatus.byUuid, { status: 'qualified' }],
  ['details', leads.changeCustomFields.byId, { customFields: { contactPerson: 'Connie' } }],
  ['notes', leads.changeLeadNotes.byId, { notes: 'Seen' }],
  ['a tag', leads.addTag.byId, { tag: 'hot' }],
  ['the archive', leads.archiveLead.byId, {}],
  ['an activity', leads.addActivity.byId, { type: 'call', notes: 'Rang' }],
  ['a contact', logContact.byId, { type: 'call', outcome: 'spoke', note: 'Rang' }],
  ['a follow-up', planFollowUp.byId, { type: 'call', at: TOMORROW, note: '' }],
  ['deleting', leads.deleteLead.byId, {}],
])('%s', async (_, call, body) => {
  const { id, uuid } = await t.lead(user);
  const before = await readLead(id);
  const input = { params: { id, uuid }, body: body as never };
  const refused = await t.request(user, call, input, { headers: { 'if-match': '"2026-01-01T00:00:00.000Z"' } });
  expect(refused).toMatchObject({ status: 412, body: { code: 'lead_changed' } });
  expect(await readLead(id)).toEqual(before);
  const made = await t.request(user, call, input, { headers: { 'if-match': `"${before.updatedAt}"` } });
  expect(made.status).toBeLessThan(300);
});

test('reassigning and dropping a follow-up', async () => {
  const lead = await t.lead(user);
  const headers = { 'if-match': '"2026-01-01T00:00:00.000Z"' };
  const plan = { type: 'call', at: TOMORROW, note: '' } as never;
  await t.request(user, planFollowUp.byId, { params: lead, body: plan });
  const followUpId = (await t.request(user, getFollowUp.byId, { params: lead })).body.followUp?.id ?? 0;
  expect((await t.request(user, dropFollowUp, { params: { followUpId } }, { headers })).body.code).toBe('lead_changed');
  const newUserId = (await t.user()).id;
  const moved = await t.request(user, leads.reassignLead.byId, { params: lead, body: { newUserId } }, { headers });
  expect(moved.body.code).toBe('lead_changed');
  expect((await readLead(lead.id)).userId).toBe(user.id);
});

test('who may not change a lead does not learn whether it has changed', async () => {
  const { id } = await t.lead(user);
  const headers = { 'if-match': '"2026-01-01T00:00:00.000Z"' };
  const response = await t.request(
    await t.user(),
    leads.addTag.byId,
    { params: { id }, body: { tag: 'x' } },
    { headers },
  );
  expect(response).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
  expect(response.body).not.toHaveProperty('current');
});

const STALE = { 'if-match': '"2026-01-01T00:00:00.000Z"' };
const changing = Object.values(CALLS)
  .flat()
  .filter(({ method, programs }) => method !== 'GET' && programs !== 'none')
  .map((call) => ({ name: `${call.method} ${call.path}`, call }));
const ofOneLead = changing.filter(({ call }) => changesOneLead(call));

test('the calls that programs make on a lead are all among those that compare', () => {
  const named = changing.filter(({ call }) => /:(id|uuid|activityId|commentId|followUpId)\b/.test(call.path));
  expect(ofOneLead).toEqual(named);
  expect(ofOneLead.length).toBeGreaterThan(30);
});

test.each(ofOneLead)('$name: not on a lead that has changed', async ({ call }) => {
  const params = await createParameters(t, call, user);
  // Some read it before the lead is locked.
  const body = { newUserId: (await t.user()).id } as never;
  const refused = await t.request(user, call, { params, body }, { headers: STALE });
  expect(refused).toMatchObject({ status: 412, body: { code: 'lead_changed', current: { uuid: params.uuid } } });
});

test.each(changing.filter(({ call }) => !changesOneLead(call)))('$name: not with a version', async ({ call }) => {
  const sender = await t.program(await t.user('admin'), { rights: 'admin' });
  const params = await createParameters(t, call, user);
  const refused = await t.request(sender, call, { params, body: {} as never }, { headers: STALE });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});
