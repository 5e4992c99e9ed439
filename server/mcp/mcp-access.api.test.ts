import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createView } from '#contract/views/views.calls.ts';
import { sendMcp } from '#server/testing/access/mcp.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';

const ROLES = ['user', 'manager', 'admin'] as const;
type Role = (typeof ROLES)[number];
/** The views have all leads of the user, and none. */
const TOKENS = ['read', 'write', 'admin', 'ownLeads', 'inView', 'outOfView'] as const;
type Token = (typeof TOKENS)[number];

/**
 * What a tool answers about a lead of another user: it shows the lead, answers without it, refuses, or is not there for this
 * token. About nobody's leads: it answers.
 */
type Outcome = 'shows' | 'hides' | 'answers' | 'refused' | 'absent';
type ByRole = Record<Role, Outcome>;
type Access = Record<Token, ByRole>;

const everybody = (outcome: Outcome): ByRole => ({ user: outcome, manager: outcome, admin: outcome });
const ABSENT = everybody('absent');
const REFUSED = everybody('refused');
const ANSWERS = everybody('answers');
const managersAndAdmins: ByRole = { user: 'refused', manager: 'shows', admin: 'shows' };
const admins: ByRole = { user: 'refused', manager: 'refused', admin: 'shows' };

interface Tool {
  args: (lead: { uuid: string; name: string; holder: number }) => Record<string, unknown>;
  access: Access;
  /** Whether its answer names the lead. */
  names?: boolean;
}
const noView = { inView: ABSENT, outOfView: ABSENT };

/** A tool that is missing here fails the test below. */
const TABLE: Record<string, Tool> = {
  find_leads: {
    args: ({ name }) => ({ text: name }),
    access: {
      ...{ read: { ...everybody('shows'), user: 'hides' }, write: { ...everybody('shows'), user: 'hides' } },
      ...{ admin: { ...everybody('shows'), user: 'hides' }, ownLeads: everybody('hides'), ...noView },
    },
  },
  list_leads: {
    args: ({ name }) => ({ team: true, text: name }),
    access: {
      ...{ read: managersAndAdmins, write: managersAndAdmins, admin: managersAndAdmins, ownLeads: REFUSED },
      ...{ inView: managersAndAdmins, outOfView: { user: 'refused', manager: 'hides', admin: 'hides' } },
    },
  },
  get_lead: {
    args: ({ uuid }) => ({ lead: uuid }),
    access: {
      ...{ read: managersAndAdmins, write: managersAndAdmins, admin: managersAndAdmins, ownLeads: REFUSED },
      ...{ inView: managersAndAdmins, outOfView: REFUSED },
    },
  },
  // Always of the user's own.
  get_today: {
    args: () => ({}),
    access: {
      ...{ read: everybody('hides'), write: everybody('hides'), admin: everybody('hides') },
      ...{ ownLeads: everybody('hides'), ...noView },
    },
  },
  get_report: {
    args: ({ holder }) => ({ report: 'pipeline', user: holder }),
    access: {
      ...{ read: managersAndAdmins, write: managersAndAdmins, admin: managersAndAdmins, ownLeads: REFUSED, ...noView },
    },
    names: false,
  },
  get_coverage: {
    args: ({ holder }) => ({ user: holder }),
    access: {
      ...{ read: managersAndAdmins, write: managersAndAdmins, admin: managersAndAdmins, ownLeads: REFUSED, ...noView },
    },
    names: false,
  },
  get_choices: {
    args: () => ({}),
    access: { read: ANSWERS, write: ANSWERS, admin: ANSWERS, ownLeads: ANSWERS, inView: ANSWERS, outOfView: ANSWERS },
  },
  search_places: {
    args: () => ({ businessType: 'Bakery', location: 'Leeds', maxResults: 5 }),
    access: { read: ABSENT, write: ANSWERS, admin: ANSWERS, ownLeads: ANSWERS, ...noView },
  },
  propose_changes: {
    args: ({ uuid }) => ({ changes: [{ kind: 'add_tag', lead: uuid, tag: 'hot' }] }),
    access: { read: ABSENT, write: admins, admin: admins, ownLeads: REFUSED, inView: admins, outOfView: REFUSED },
    names: false,
  },
};

let t: TestApp;
const users = {} as Record<Role, TestUser>;
const programs = {} as Record<Role, Record<Token, TestProgram>>;
let other: { uuid: string; name: string; holder: number };
const own = {} as Record<Role, { uuid: string; name: string; holder: number }>;

async function makeLead(holder: TestUser, name: string) {
  const { uuid } = await t.lead(holder, { status: 'new' }, { name });
  return { uuid, name, holder: holder.id };
}

beforeAll(async () => {
  t = await testApp();
  other = await makeLead(await t.user(), 'Quince and Quill of another');
  for (const role of ROLES) {
    const user = await t.user(role);
    const view = async (name: string, settings: Record<string, string>) =>
      (await t.request(user, createView, { body: { name, settings, shared: false } })).body.id;
    users[role] = user;
    own[role] = await makeLead(user, `Medlar Mill ${role}`);
    // A list of managers and administrators has the leads of all, where its view says so.
    const all = await view('All', role === 'user' ? { status: 'new' } : { status: 'new', team: 'true' });
    programs[role] = {
      read: await t.program(user, { rights: 'read' }),
      write: await t.program(user, { rights: 'write' }),
      admin: await t.program(user, { rights: 'admin' }),
      ownLeads: await t.program(user, { rights: 'write', ownLeads: true }),
      inView: await t.program(user, { rights: 'write', viewId: all }),
      outOfView: await t.program(user, { rights: 'write', viewId: await view('None', { tags: 'nobody has it' }) }),
    };
  }
});
afterAll(() => t.close());

const send = (headers: Record<string, string>, method: string, params: object) => sendMcp(t, headers, method, params);

const listTools = async ({ authorization }: TestProgram) =>
  ((await send({ authorization }, 'tools/list', {})).result?.tools ?? []).map(({ name }) => name).sort();

/** What the tool answers about the lead. */
async function call({ authorization }: TestProgram, name: string, lead: typeof other): Promise<Outcome> {
  const { names = true, args, access } = TABLE[name] as Tool;
  const { statusCode, result, error } = await send({ authorization }, 'tools/call', { name, arguments: args(lead) });
  expect(statusCode).toBe(200);
  if (error) return 'absent';
  const text = result?.content?.[0]?.text ?? '';
  if (!result?.isError) {
    if (access.write === ANSWERS) return 'answers';
    return !names || text.includes(lead.uuid) ? 'shows' : 'hides';
  }
  if (/not found/.test(text)) return 'absent';
  expect(text).toMatch(/"code": "(forbidden|not_your_lead|token_not_allowed)"/);
  expect(text).not.toContain(lead.name);
  return 'refused';
}

test('every tool is in the table', async () => {
  const ofAll = await Promise.all(ROLES.flatMap((role) => TOKENS.map((token) => listTools(programs[role][token]))));
  expect([...new Set(ofAll.flat())].sort()).toEqual(Object.keys(TABLE).sort());
});

const CELLS = ROLES.flatMap((role) => TOKENS.map((token) => ({ role, token })));

test.each(CELLS)('the $token token of the $role is offered what it may call', async ({ role, token }) => {
  const offered = Object.entries(TABLE).flatMap(([name, { access }]) =>
    access[token][role] === 'absent' ? [] : [name],
  );
  expect(await listTools(programs[role][token])).toEqual(offered.sort());
});

describe.each(Object.keys(TABLE))('%s', (name) => {
  test.each(CELLS)('of the lead of another user, for the $token token of the $role', async ({ role, token }) => {
    expect(await call(programs[role][token], name, other)).toBe(TABLE[name]?.access[token][role]);
  });

  test.each(CELLS)("of the user's own lead, for the $token token of the $role", async ({ role, token }) => {
    const { access } = TABLE[name] as Tool;
    const outcome = await call(programs[role][token], name, own[role]);
    const expected = access[token][role];
    // A list of the team is for managers, whosever the lead is.
    if (['absent', 'answers'].includes(expected) || token === 'outOfView' || name === 'list_leads') {
      expect(outcome).toBe(expected);
    } else expect(outcome).toBe('shows');
  });

  test('for nobody, a session, and a session beside a token', async () => {
    const params = { name, arguments: TABLE[name]?.args(other) };
    const { cookie } = users.admin;
    const { authorization } = programs.admin.admin;
    expect((await send({}, 'tools/call', params)).statusCode).toBe(401);
    expect((await send({ cookie }, 'tools/call', params)).statusCode).toBe(401);
    expect((await send({ cookie, authorization }, 'tools/call', params)).statusCode).toBe(400);
  });
});
