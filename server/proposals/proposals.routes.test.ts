import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Body } from '#contract/call.ts';
import { BATCH_HEADER, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { getFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { addTag, changeLeadStatus, getLead, markViewedOnProfile } from '#contract/leads/leads.calls.ts';
import { createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { MAX_OPEN_PROPOSALS, PROPOSAL_DAYS } from '#contract/proposals/proposal.ts';
import { createProposal, decideProposal, listProposals } from '#contract/proposals/proposals.calls.ts';
import { createView } from '#contract/views/views.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';

const START = Date.parse('2026-11-19T09:00:00.000Z');
const DAY_MS = 86_400_000;

let t: TestApp;
let now = START;
let user: TestUser;
let program: TestProgram;

beforeAll(async () => {
  t = await testApp({ clock: () => new Date(now) });
});
afterAll(() => t.close());
beforeEach(async () => {
  now = START;
  user = await t.user();
  program = await t.program(user, { name: 'Assistant', rights: 'write' });
});

type Changes = Body<typeof createProposal>['changes'];
const propose = (changes: Changes, by = program, reason = '') =>
  t.request(by, createProposal, { body: { changes, reason } });
const list = async () => (await t.request(user, listProposals)).body;
const only = async () => {
  const [proposal] = await list();
  if (!proposal) throw new Error('There is no proposal');
  return proposal;
};
const changesOf = async () => (await only()).leads.flatMap(({ changes }) => changes);
const decide = async (accept: number[], by = user) => {
  const { id } = await only();
  return t.request(by, decideProposal, { params: { proposalId: id }, body: { accept } });
};
const acceptAll = async () => decide((await changesOf()).map(({ id }) => id));
const profile = async (uuid: string) => (await t.request(user, getLead.byUuid, { params: { uuid } })).body.userBusiness;
const lead = () => t.lead(user, { tags: ['old'] }, { phone: '0113 496 0000' });

describe('every kind of change', () => {
  test('is shown with before and after, and changes nothing until it is accepted; then it is one batch that can be undone', async () => {
    const admin = await t.user('admin');
    const other = await t.user();
    const field = await t.request(admin, createOwnField, { body: { name: `Tables ${now}`, type: 'number' } });
    const fieldId = field.body.id;
    const [one, two] = [await lead(), await lead()];
    const { uuid } = one;
    const at = new Date(START + 2 * DAY_MS).toISOString();
    const proposed = await propose([
      { kind: 'status', lead: uuid, status: 'in_progress' },
      { kind: 'activity', lead: uuid, type: 'note', text: 'Opens at nine' },
      { kind: 'next_step', lead: uuid, type: 'call', at, note: 'Ask for Ada' },
      { kind: 'add_tag', lead: uuid, tag: 'new' },
      { kind: 'remove_tag', lead: uuid, tag: 'old' },
      { kind: 'own_field', lead: uuid, fieldId, value: 12 },
      { kind: 'email', lead: uuid, value: 'a@b.example' },
      { kind: 'contactPerson', lead: uuid, value: 'Ada' },
      { kind: 'value', lead: uuid, value: '1200' },
      { kind: 'phone', lead: uuid, phone: '0113 496 0001' },
      { kind: 'website', lead: uuid, website: 'bakery.example' },
      { kind: 'assign', lead: two.uuid, userId: other.id },
    ]);
    expect(proposed).toMatchObject({ status: 201, body: { changes: 12, leads: 2 } });
    const before = await profile(uuid);
    expect(before).toMatchObject({ status: 'new', tags: ['old'], contactActivities: [], nextStepAt: null });

    const shown = Object.fromEntries(
      (await changesOf()).map(({ label, before, after, state }) => [`${label} ${before ?? ''}`.trim(), [after, state]]),
    );
    expect(shown).toMatchObject({
      'Status New': ['In Progress', 'open'],
      Note: ['Opens at nine', 'open'],
      'Follow-up': [expect.stringContaining('Ask for Ada'), 'open'],
      Tag: ['new', 'open'],
      'Tag old': [null, 'open'],
      'Phone 0113 496 0000': ['0113 496 0001', 'open'],
      Website: ['bakery.example', 'open'],
      Email: ['a@b.example', 'open'],
    });

    const decided = await acceptAll();
    expect(decided.body).toMatchObject({ message: '12 changes made', accepted: 12, conflicts: 0 });
    expect(decided.body.proposal.state).toBe('decided');
    const after = await profile(uuid);
    expect(after).toMatchObject({
      status: 'in_progress',
      tags: ['new'],
      nextStepAt: at,
      ownFields: { [fieldId]: 12 },
      customFields: { email: 'a@b.example', contactPerson: 'Ada', value: '1200' },
    });
    expect(after.contactActivities).toMatchObject([{ type: 'note', description: 'Opens at nine', createdBy: user.id }]);
    expect((await t.request(other, getLead.byUuid, { params: { uuid: two.uuid } })).body.user.id).toBe(other.id);

    // By the user, through the program: one batch.
    const [batch] = (await t.request(user, listChanges)).body.items;
    expect(batch).toMatchObject({
      id: decided.headers[BATCH_HEADER],
      kind: 'proposal',
      source: 'proposal',
      program: 'Assistant',
      user: { id: user.id },
      canUndo: true,
    });
    const entries = (await t.request(user, getTimeline.byUuid, { params: { uuid } })).body.items;
    expect(entries.length).toBeGreaterThan(5);
    for (const entry of entries.filter(({ kind }) => kind !== 'credit' && kind !== 'assignment')) {
      expect(entry, JSON.stringify(entry)).toMatchObject({ user: 'Test user', program: 'Assistant' });
    }

    const undone = await t.request(user, undoChanges, { params: { batchId: batch?.id ?? '' } });
    expect(undone.status).toBe(200);
    expect(await profile(uuid)).toMatchObject({
      status: 'new',
      tags: ['old'],
      nextStepAt: null,
      customFields: {},
      contactActivities: [],
    });
  });
});

describe('a decision', () => {
  test('on some makes these and declines the rest', async () => {
    const { uuid } = await lead();
    await propose([
      { kind: 'add_tag', lead: uuid, tag: 'a' },
      { kind: 'add_tag', lead: uuid, tag: 'b' },
    ]);
    const [first] = await changesOf();
    expect((await decide([first?.id ?? 0])).body).toMatchObject({ message: '1 change made', accepted: 1 });
    expect((await profile(uuid)).tags).toEqual(['old', 'a']);
    expect((await changesOf()).map(({ state }) => state)).toEqual(['accepted', 'declined']);
  });

  test('on none changes nothing and is no batch', async () => {
    const { uuid } = await lead();
    await propose([{ kind: 'status', lead: uuid, status: 'closed_won' }]);
    const declined = await decide([]);
    expect(declined.body).toMatchObject({ message: 'Proposal declined', accepted: 0 });
    expect(declined.headers[BATCH_HEADER]).toBeUndefined();
    expect((await profile(uuid)).status).toBe('new');
    expect((await t.request(user, listChanges)).body.items).toEqual([]);
  });

  test('is made once, also by two requests at a time', async () => {
    const { uuid } = await lead();
    await propose([{ kind: 'activity', lead: uuid, type: 'note', text: 'Once' }]);
    const statuses = (await Promise.all([acceptAll(), acceptAll()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect((await profile(uuid)).contactActivities).toHaveLength(1);
    expect((await acceptAll()).body.code).toBe('proposal_closed');
  });

  test('is for the user of the proposal, in person', async () => {
    const { uuid } = await lead();
    await propose([{ kind: 'add_tag', lead: uuid, tag: 'a' }]);
    for (const other of [await t.user(), await t.user('admin')]) {
      expect((await decide([], other)).status).toBe(404);
      expect((await t.request(other, listProposals)).body).toEqual([]);
    }
    const { id } = await only();
    const byProgram = await t.request(program, decideProposal, { params: { proposalId: id }, body: { accept: [] } });
    expect(byProgram.body.code).toBe('token_not_allowed');
    expect((await decide([2_000_000_000])).status).toBe(400);
  });

  test('marks the notification as read', async () => {
    const { uuid } = await lead();
    await propose([{ kind: 'add_tag', lead: uuid, tag: 'a' }]);
    const unread = (await t.request(user, listNotifications)).body;
    expect(unread).toMatchObject({
      unread: 1,
      items: [
        { type: 'proposal', title: 'Proposal from Assistant', message: '1 change of 1 business to accept or decline.' },
      ],
    });
    await acceptAll();
    expect((await t.request(user, listNotifications)).body.unread).toBe(0);
  });
});

describe('a conflict', () => {
  test('is a lead that was changed since: it is shown, and never changed', async () => {
    const [changed, same] = [await lead(), await lead()];
    await propose([
      { kind: 'status', lead: changed.uuid, status: 'recontact' },
      { kind: 'status', lead: same.uuid, status: 'recontact' },
    ]);
    await t.request(user, changeLeadStatus.byUuid, { params: { uuid: changed.uuid }, body: { status: 'negotiation' } });
    const states = Object.fromEntries((await only()).leads.map(({ uuid, changes }) => [uuid, changes[0]]));
    expect(states[changed.uuid]).toMatchObject({ state: 'conflict', problem: 'Changed since it was proposed: status' });
    expect(states[same.uuid]).toMatchObject({ state: 'open', problem: null });
    expect((await acceptAll()).body).toMatchObject({
      message: '1 change made, 1 conflict left as it was',
      accepted: 1,
      conflicts: 1,
    });
    expect((await profile(changed.uuid)).status).toBe('negotiation');
    expect((await profile(same.uuid)).status).toBe('recontact');
    expect((await changesOf()).map(({ state }) => state).sort()).toEqual(['accepted', 'conflict']);
  });

  test('is any other change of the lead, but not that it was looked at', async () => {
    const { uuid } = await lead();
    await propose([{ kind: 'email', lead: uuid, value: 'a@b.example' }]);
    await t.request(user, markViewedOnProfile.byUuid, { params: { uuid } });
    expect(await changesOf()).toMatchObject([{ state: 'open' }]);
    await t.request(user, addTag.byUuid, { params: { uuid }, body: { tag: 'by hand' } });
    expect(await changesOf()).toMatchObject([{ state: 'conflict', problem: 'Changed since it was proposed: tags' }]);
    expect((await acceptAll()).body).toMatchObject({ message: '0 changes made, 1 conflict left as it was' });
    expect((await profile(uuid)).customFields).toEqual({});
  });

  test('is a lead that the user may not change any more', async () => {
    const { id, uuid } = await lead();
    const other = await t.user();
    await propose([{ kind: 'add_tag', lead: uuid, tag: 'a' }]);
    await t.db.update(leads).set({ userId: other.id }).where(eq(leads.id, id));
    expect(await changesOf()).toMatchObject([{ state: 'conflict' }]);
    expect((await acceptAll()).body).toMatchObject({ accepted: 0, conflicts: 1 });
    expect((await t.request(other, getLead.byUuid, { params: { uuid } })).body.userBusiness.tags).toEqual(['old']);
  });

  test('is a time that has passed meanwhile', async () => {
    const { uuid } = await lead();
    await propose([{ kind: 'next_step', lead: uuid, type: 'call', at: new Date(START).toISOString(), note: '' }]);
    now += 3 * DAY_MS;
    expect((await acceptAll()).body).toMatchObject({ accepted: 0, conflicts: 1 });
    expect((await t.request(user, getFollowUp.byUuid, { params: { uuid } })).body.followUp).toBeNull();
  });

  test('the businesses of a proposal are deleted: it is gone', async () => {
    const { id, uuid } = await lead();
    await propose([{ kind: 'add_tag', lead: uuid, tag: 'a' }]);
    await t.db.delete(leads).where(eq(leads.id, id));
    expect(await list()).toEqual([]);
  });
});

describe('an expired proposal', () => {
  test('is not accepted, is shown as such, and can be made again', async () => {
    const { uuid } = await lead();
    const change = [{ kind: 'add_tag' as const, lead: uuid, tag: 'a' }];
    const first = await propose(change);
    expect(Date.parse(first.body.expiresAt)).toBe(START + PROPOSAL_DAYS * DAY_MS);
    now = START + PROPOSAL_DAYS * DAY_MS - 1;
    expect((await only()).state).toBe('open');
    now += 1;
    expect((await only()).state).toBe('expired');
    expect((await acceptAll()).body).toMatchObject({ code: 'proposal_closed', message: 'This proposal has expired' });
    expect((await profile(uuid)).tags).toEqual(['old']);
    const second = await propose(change);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await list()).map(({ state }) => state)).toEqual(['open']);
  });
});

describe('who may propose', () => {
  test('programs with the right to write, what their user may change', async () => {
    const mine = await lead();
    const theirs = await t.lead(await t.user());
    const change = (uuid: string) => [{ kind: 'add_tag' as const, lead: uuid, tag: 'a' }];
    const reader = await t.program(user, { rights: 'read' });
    expect((await propose(change(mine.uuid), reader)).body.code).toBe('token_not_allowed');
    const refused = await propose([...change(mine.uuid), ...change(theirs.uuid)]);
    expect(refused.body).toMatchObject({ code: 'not_your_lead', errors: [{ path: 'changes.1' }] });
    expect((await t.request(user, createProposal, { body: { changes: change(mine.uuid) } })).status).toBe(403);
    expect(await list()).toEqual([]);

    const admin = await t.user('admin');
    const ofAdmin = await t.program(admin, { rights: 'write', ownLeads: true });
    expect((await propose(change(theirs.uuid), ofAdmin)).body.code).toBe('not_your_lead');
    const { body: view } = await t.request(user, createView, {
      body: { name: 'Won', settings: { status: 'closed_won' } },
    });
    const fenced = await t.program(user, { rights: 'write', viewId: view.id });
    expect((await propose(change(mine.uuid), fenced)).body.code).toBe('token_not_allowed');
  });

  test('not what is wrong at once', async () => {
    const { uuid } = await lead();
    const wrong = async (change: Changes[number]) => (await propose([change])).status;
    expect(await wrong({ kind: 'add_tag', lead: uuid, tag: 'imported' })).toBe(400);
    expect(await wrong({ kind: 'website', lead: uuid, website: 'no website' })).toBe(400);
    expect(await wrong({ kind: 'email', lead: uuid, value: 'nobody' })).toBe(400);
    expect(await wrong({ kind: 'own_field', lead: uuid, fieldId: 2_000_000, value: 1 })).toBe(404);
    expect(await wrong({ kind: 'assign', lead: uuid, userId: 2_000_000_000 })).toBe(400);
    expect(await wrong({ kind: 'next_step', lead: uuid, type: 'call', at: '2020-01-01T00:00:00Z', note: '' })).toBe(
      400,
    );
    expect(await list()).toEqual([]);
  });

  test('the same twice is one, and not more than wait', async () => {
    const { uuid } = await lead();
    const tag = (name: string) => propose([{ kind: 'add_tag', lead: uuid, tag: name }]);
    const ids = (await Promise.all([tag('same'), tag('same')])).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(1);
    for (let index = 1; index < MAX_OPEN_PROPOSALS; index += 1) expect((await tag(`t${index}`)).status).toBe(201);
    expect((await tag('one more')).body.code).toBe('too_many_proposals');
    expect((await tag('same')).status).toBe(201);
    expect(await list()).toHaveLength(MAX_OPEN_PROPOSALS);
  });
});
