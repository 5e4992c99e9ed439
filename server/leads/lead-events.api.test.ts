import { afterAll, beforeAll, expect, test } from 'vitest';
import { addComment } from '#contract/leads/comments/comments.calls.ts';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { bulkArchive, bulkDelete, bulkReassign, bulkUpdateStatus } from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { EVENTS_PATH, type LeadsChanged, leadsChanged } from '#contract/notifications/events.ts';
import { changeUser, deleteUser, setUserActive } from '#contract/users/users.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let base: string;
beforeAll(async () => {
  t = await testApp();
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(t.app.http.server.address() as { port: number }).port}`;
});
afterAll(() => t.close());

/** Opens the event stream of a user; `text` is everything received so far. */
async function openStream({ cookie }: TestUser) {
  const stop = new AbortController();
  const response = await fetch(`${base}${EVENTS_PATH}`, { headers: { cookie }, signal: stop.signal });
  const received = { text: '' };
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) received.text += chunk;
  };
  void read().catch(() => {});
  await expect.poll(() => received.text).toContain('welcome');
  return {
    text: () => received.text,
    leads: (): LeadsChanged[] =>
      [...received.text.matchAll(/event: leads\ndata: (.*)\n\n/g)].map(([, data]) =>
        leadsChanged.parse(JSON.parse(data ?? '')),
      ),
    users: () => received.text.split('event: users').length - 1,
    close: () => stop.abort(),
  };
}

const ids = (events: LeadsChanged[]) => events.flatMap<number | string>((event) => event.ids ?? ['many']);

type Changing = { admin: TestUser; holder: TestUser; lead: Awaited<ReturnType<TestApp['lead']>> };
const changes: [string, (all: Changing) => Promise<{ status: number }>][] = [
  ['a status', ({ holder, lead }) => t.request(holder, calls.changeLeadStatus.byId, withStatus('recontact', lead))],
  ['notes', ({ holder, lead }) => t.request(holder, calls.changeLeadNotes.byId, { ...on(lead), body: { notes: 'x' } })],
  ['a tag', ({ holder, lead }) => t.request(holder, calls.addTag.byId, { ...on(lead), body: { tag: 'Urgent' } })],
  [
    'an activity',
    ({ holder, lead }) =>
      t.request(holder, calls.addActivity.byId, { ...on(lead), body: { type: 'call', notes: 'x' } }),
  ],
  [
    'a follow-up',
    ({ holder, lead }) => t.request(holder, planFollowUp.byId, { ...on(lead), body: { at: new Date().toISOString() } }),
  ],
  [
    'a logged contact',
    ({ holder, lead }) =>
      t.request(holder, logContact.byId, { ...on(lead), body: { outcome: 'wrong_number' as const } }),
  ],
  [
    'a comment',
    ({ admin, lead }) => t.request(admin, addComment.byId, { ...on(lead), body: { text: 'How is this going?' } }),
  ],
  ['the archive', ({ admin, lead }) => t.request(admin, calls.archiveLead.byId, on(lead))],
  ['a deletion', ({ admin, lead }) => t.request(admin, calls.deleteLead.byId, on(lead))],
  ['opening', ({ holder, lead }) => t.request(holder, calls.markViewedOnProfile.byId, on(lead))],
  [
    'the phone of the business',
    ({ holder, lead }) =>
      t.request(holder, calls.changePhone, {
        params: { businessId: lead.businessId },
        body: { phone: '0113 4960000' },
      }),
  ],
];
const on = ({ id }: { id: number }) => ({ params: { id } });
const withStatus = (status: 'recontact' | 'new', lead: { id: number }) => ({ ...on(lead), body: { status } });

test.each(changes)('%s reaches the holder and the staff, and no other user', async (_, change) => {
  const [admin, manager, holder, other] = [
    await t.user('admin'),
    await t.user('manager'),
    await t.user(),
    await t.user(),
  ];
  const lead = await t.lead(holder);
  const othersLead = await t.lead(other);
  const [adminStream, managerStream, holderStream, otherStream] = [
    await openStream(admin),
    await openStream(manager),
    await openStream(holder),
    await openStream(other),
  ];

  expect((await change({ admin, holder, lead })).status).toBeLessThan(300);

  await expect.poll(adminStream.leads).toEqual([{ ids: [lead.id], inList: true }]);
  await expect.poll(holderStream.leads).toEqual([{ ids: [lead.id], inList: true }]);
  await expect.poll(managerStream.leads).toEqual([{ ids: [lead.id], inList: false }]);

  // Their own change comes later: nothing was sent to them before it.
  await t.request(other, calls.changeLeadStatus.byId, withStatus('recontact', othersLead));
  await expect.poll(otherStream.leads).toEqual([{ ids: [othersLead.id], inList: true }]);
  expect(otherStream.text().replaceAll(/^(retry: 3000|: welcome|: still here)?\n/gm, '')).toBe(
    `event: leads\ndata: {"ids":[${othersLead.id}],"inList":true}\n`,
  );
  for (const stream of [adminStream, managerStream, holderStream, otherStream]) stream.close();
});

test('a reassignment reaches the previous and the new holder, each with their own leads only', async () => {
  const [admin, one, two, target] = [await t.user('admin'), await t.user(), await t.user(), await t.user()];
  const [first, second] = [await t.lead(one), await t.lead(two)];
  const [streamOne, streamTwo, streamTarget] = [await openStream(one), await openStream(two), await openStream(target)];
  const body = { ids: [first.id, second.id], newUserId: target.id };
  expect((await t.request(admin, bulkReassign, { body })).body.results.success).toBe(2);

  await expect.poll(() => ids(streamOne.leads())).toEqual([first.id]);
  await expect.poll(() => ids(streamTwo.leads())).toEqual([second.id]);
  await expect.poll(() => ids(streamTarget.leads()).sort()).toEqual([first.id, second.id].sort());
  for (const stream of [streamOne, streamTwo, streamTarget]) stream.close();
});

test.each([
  { name: 'a status', call: bulkUpdateStatus, fields: { status: 'recontact' as const } },
  { name: 'the archive', call: bulkArchive, fields: {} },
  { name: 'a deletion', call: bulkDelete, fields: {} },
])('a bulk change of $name of 150 leads is one event without ids', async ({ call, fields }) => {
  const holder = await t.user();
  const leads = [];
  for (let count = 0; count < 150; count += 1) leads.push(await t.lead(holder));
  const stream = await openStream(holder);
  const body = { ids: leads.map(({ id }) => id), ...fields };
  expect((await t.request(holder, call as typeof bulkUpdateStatus, { body: body as never })).status).toBe(200);
  await expect.poll(stream.leads).toEqual([{ ids: null, inList: true }]);
  stream.close();
});

test('changes in quick succession are collected into few events', async () => {
  const holder = await t.user();
  const leads = [await t.lead(holder), await t.lead(holder), await t.lead(holder), await t.lead(holder)];
  const stream = await openStream(holder);
  for (const lead of leads) await t.request(holder, calls.changeLeadStatus.byId, withStatus('recontact', lead));
  await expect.poll(() => ids(stream.leads()).sort(), { timeout: 10_000 }).toEqual(leads.map(({ id }) => id).sort());
  expect(stream.leads().length).toBeLessThanOrEqual(2);
  stream.close();
});

test('a change that changes nothing, and one that is refused, send no event', async () => {
  const [holder, other] = [await t.user(), await t.user()];
  const [lead, next] = [await t.lead(holder), await t.lead(holder)];
  const stream = await openStream(holder);
  expect((await t.request(holder, calls.changeLeadStatus.byId, withStatus('new', lead))).status).toBe(200);
  expect((await t.request(other, calls.changeLeadStatus.byId, withStatus('recontact', lead))).status).toBe(403);
  await t.request(holder, calls.changeLeadStatus.byId, withStatus('recontact', next));
  await expect.poll(stream.leads).toEqual([{ ids: [next.id], inList: true }]);
  stream.close();
});

test('a demoted manager no longer receives the leads of others on an open stream', async () => {
  const [admin, manager, holder] = [await t.user('admin'), await t.user('manager'), await t.user()];
  const [lead, own] = [await t.lead(holder), await t.lead(manager)];
  const stream = await openStream(manager);
  const body = { username: manager.username, email: manager.email, fullName: 'Test manager', role: 'user' as const };
  expect(
    (await t.request(admin, changeUser, { params: { id: manager.id }, body: { ...body, monthlyGoal: 100 } })).status,
  ).toBe(200);
  await t.request(holder, calls.changeLeadStatus.byId, withStatus('recontact', lead));
  await t.request(admin, calls.changeLeadStatus.byId, withStatus('recontact', own));
  await expect.poll(stream.leads).toEqual([{ ids: [own.id], inList: true }]);
  stream.close();
});

test('changes of accounts reach admins only; a deleted account takes its leads along', async () => {
  const [admin, manager, user] = [await t.user('admin'), await t.user('manager'), await t.user()];
  await t.lead(user);
  const [adminStream, managerStream] = [await openStream(admin), await openStream(manager)];
  const params = { id: user.id };
  expect((await t.request(admin, setUserActive, { params, body: { active: false } })).status).toBe(200);
  await expect.poll(adminStream.users).toBe(1);
  expect((await t.request(admin, deleteUser, { params })).status).toBeLessThan(300);
  await expect.poll(adminStream.users).toBe(2);
  await expect.poll(adminStream.leads).toEqual([{ ids: null, inList: true }]);
  await expect.poll(managerStream.leads).toEqual([{ ids: null, inList: false }]);
  expect(managerStream.text()).not.toContain('event: users');
  for (const stream of [adminStream, managerStream]) stream.close();
});
