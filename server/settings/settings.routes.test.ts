import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { DEFAULT_OUTCOMES, type OutcomeRules } from '#contract/leads/log/outcomes.ts';
import { changeTeamSettings, getTeamSettings } from '#contract/settings/settings.calls.ts';
import { DEFAULT_TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
import { deleteUser } from '#contract/users/users.calls.ts';
import { teamSettings } from '#server/schema/settings.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-16T09:00:00.000Z';

let t: TestApp;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  admin = await t.user('admin', { fullName: 'Ada Admin' });
  user = await t.user();
  // Of other files of this worker.
  await t.db.delete(teamSettings);
});
afterAll(() => t.close());

const read = async (viewer = user) => (await t.request(viewer, getTeamSettings)).body;
const change = (outcomes: OutcomeRules | null, viewer = admin) =>
  t.request(viewer, changeTeamSettings, { body: { outcomes } });
const RENAMED: OutcomeRules = {
  ...DEFAULT_OUTCOMES,
  shut: { label: 'Closed today', reached: true, offered: true, next: { days: 4, counted: 'working' } },
};

test('settings are the defaults until an administrator changes them, and can be set back', async () => {
  expect(await read()).toEqual({
    settings: DEFAULT_TEAM_SETTINGS,
    changes: { outcomes: null, addingLeads: null, security: null, contactRules: null, firstSteps: null },
  });
  const changed = await change(RENAMED);
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({
    settings: { ...DEFAULT_TEAM_SETTINGS, outcomes: RENAMED },
    changes: {
      outcomes: { at: NOW, by: 'Ada Admin', reset: false },
      addingLeads: null,
      security: null,
      contactRules: null,
      firstSteps: null,
    },
  });
  expect(await read()).toEqual(changed.body);
  const back = await change(null);
  expect(back.body).toMatchObject({
    settings: DEFAULT_TEAM_SETTINGS,
    changes: { outcomes: { at: NOW, by: 'Ada Admin', reset: true }, addingLeads: null },
  });
  expect(await read()).toEqual(back.body);
});

test('a change is audited, by name and without its content', async () => {
  await change(RENAMED);
  await change(null);
  const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'setting_changed' } })).body;
  expect(items.slice(0, 2)).toMatchObject([
    { actor: { id: admin.id }, details: { setting: 'outcomes', reset: true } },
    { actor: { id: admin.id }, details: { setting: 'outcomes', reset: false } },
  ]);
});

test('what an outcome counts as decides the status of a lead', async () => {
  const logShut = async () => {
    const lead = await t.lead(user);
    const logged = await t.request(user, logContact.byId, { params: { id: lead.id }, body: { outcome: 'shut' } });
    return logged.body.userBusiness.status;
  };
  expect(await logShut()).toBe('new');
  await change(RENAMED);
  expect(await logShut()).toBe('in_progress');
  await change(null);
});

test.each([
  ['no setting', {}],
  ['an unknown setting', { colour: 'red' }],
  ['a missing outcome', { outcomes: { shut: RENAMED.shut } }],
  ['an empty label', { outcomes: { ...RENAMED, shut: { ...RENAMED.shut, label: ' ' } } }],
  ['the label of another outcome', { outcomes: { ...RENAMED, shut: { ...RENAMED.shut, label: 'no ANSWER' } } }],
  [
    'a day in the past',
    { outcomes: { ...RENAMED, shut: { ...RENAMED.shut, next: { days: -1, counted: 'working' } } } },
  ],
  [
    'no outcome at all',
    {
      outcomes: Object.fromEntries(
        Object.entries(RENAMED).map(([outcome, rule]) => [outcome, { ...rule, offered: false }]),
      ),
    },
  ],
])('%s is refused, and nothing is written', async (_, body) => {
  const before = await read();
  const refused = await t.request(admin, changeTeamSettings, { body: body as never });
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await read()).toEqual(before);
});

test('a value of another version keeps what this one knows, and has the default for the rest', async () => {
  await change(RENAMED);
  const { shut, no_answer } = RENAMED;
  const value = { shut, no_answer: { ...no_answer, label: 'Nobody there' }, danced: shut };
  await t.db.update(teamSettings).set({ value }).where(eq(teamSettings.name, 'outcomes'));
  expect((await read()).settings.outcomes).toEqual({ ...DEFAULT_OUTCOMES, ...{ shut, no_answer: value.no_answer } });
  await change(null);
});

test('a setting stays when the administrator who changed it is deleted', async () => {
  const other = await t.user('admin');
  await change(RENAMED, other);
  await t.request(admin, deleteUser, { params: { id: other.id } });
  expect(await read()).toMatchObject({ settings: { outcomes: RENAMED }, changes: { outcomes: { at: NOW } } });
  await change(null);
});
