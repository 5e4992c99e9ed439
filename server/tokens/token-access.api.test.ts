import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import { rightsFor } from '#contract/tokens/program-policy.ts';
import { createView } from '#contract/views/views.calls.ts';
import { createParameters } from '#server/testing/access/call-parameters.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';

/** The calls that programs may make. All others are refused to every token. */
const FOR_ALL = [
  'GET /api/user',
  'POST /api/contact-activity/:id',
  'POST /api/contact-activity-by-uuid/:uuid',
  'POST /api/business-tag/:id',
  'POST /api/business-tag-by-uuid/:uuid',
  'POST /api/business/:id/archive',
  'POST /api/business-by-uuid/:uuid/archive',
  'PATCH /api/business-custom-fields/:id',
  'PATCH /api/business-custom-fields-by-uuid/:uuid',
  'PATCH /api/business-notes/:id',
  'PATCH /api/business-notes-by-uuid/:uuid',
  'PATCH /api/business-status/:id',
  'PATCH /api/business-status-by-uuid/:uuid',
  'PATCH /api/business-own-fields/:id',
  'PATCH /api/business-own-fields-by-uuid/:uuid',
  'DELETE /api/contact-activity/:activityId',
  'DELETE /api/business/:id/delete',
  'DELETE /api/business-by-uuid/:uuid/delete',
  'GET /api/assignment-history/:id',
  'GET /api/assignment-history-by-uuid/:uuid',
  'GET /api/business-profile/:id',
  'GET /api/business-profile-by-uuid/:uuid',
  'GET /api/users-for-reassignment',
  'POST /api/business/:id/mark-existing-customer',
  'POST /api/business-by-uuid/:uuid/mark-existing-customer',
  'POST /api/reassign-business/:id',
  'POST /api/reassign-business-by-uuid/:uuid',
  'DELETE /api/business-tag/:id/:tag',
  'DELETE /api/business-tag-by-uuid/:uuid/:tag',
  'POST /api/business/:id/restore',
  'POST /api/business-by-uuid/:uuid/restore',
  'POST /api/business/:id/unmark-existing-customer',
  'POST /api/business-by-uuid/:uuid/unmark-existing-customer',
  'GET /api/own-fields',
  'POST /api/follow-ups/:followUpId/complete',
  'DELETE /api/follow-ups/:followUpId',
  'GET /api/business-follow-up/:id',
  'GET /api/business-follow-up-by-uuid/:uuid',
  'PUT /api/business-follow-up/:id',
  'PUT /api/business-follow-up-by-uuid/:uuid',
  'POST /api/business-log/:id',
  'POST /api/business-log-by-uuid/:uuid',
  'GET /api/business-objections/:id',
  'GET /api/business-objections-by-uuid/:uuid',
  'POST /api/business-objections/:id',
  'POST /api/business-objections-by-uuid/:uuid',
  'POST /api/lead-comments/:id',
  'POST /api/lead-comments-by-uuid/:uuid',
  'DELETE /api/lead-comments/:commentId',
  'GET /api/business-timeline/:id',
  'GET /api/business-timeline-by-uuid/:uuid',
  'GET /api/leads/points',
  'GET /api/leads',
  'GET /api/leads/count',
  'GET /api/leads/export',
  'GET /api/districts',
  'POST /api/proposals',
];
/** Of these, only those that no saved view limits. */
const UNFENCED = [
  'GET /api/users',
  'POST /api/assign-business',
  'PATCH /api/business/:businessId/update-type',
  'PATCH /api/business/:businessId/update-phone',
  'PATCH /api/business/:businessId/update-website',
  'PATCH /api/business-by-place-id/:placeId/update-website',
  'PATCH /api/business/:businessId/confirm-phone',
  'POST /api/leads',
  'POST /api/leads/upsert',
  'GET /api/leads/look-alikes',
  'GET /api/coverage/unassigned',
  'POST /api/leads/take',
  'POST /api/bulk/archive',
  'POST /api/bulk/delete',
  'POST /api/bulk/drop-follow-ups',
  'POST /api/bulk/plan-follow-up',
  'POST /api/bulk/reassign',
  'POST /api/bulk/restore',
  'POST /api/bulk/update-status',
  'GET /api/all-tags',
  'GET /api/leads/statuses',
  'GET /api/leads/tags',
  'GET /api/leads/towns',
  'GET /api/leads/types',
  'POST /api/bulk/add-tag',
  'POST /api/bulk/remove-tag',
  'POST /api/bulk/set-field',
  'GET /api/views',
  'GET /api/find',
  'POST /api/duplicates/dismiss',
  'POST /api/duplicates/matches',
  'GET /api/duplicates',
  'POST /api/duplicates/merge',
  'POST /api/duplicates/reopen',
  'GET /api/coverage',
  'POST /api/export-businesses',
  'GET /api/admin/users',
  'POST /api/search-businesses',
  'GET /api/sweeps/:id',
  'GET /api/sweeps/:id/districts',
  'GET /api/sweeps/:id/results',
  'GET /api/sweeps',
  'GET /api/territories',
  'POST /api/assignments/preview',
  'GET /api/today',
  'GET /api/today/counts',
  'GET /api/month-picture',
  'GET /api/team/attention',
  'GET /api/team-progress',
  'GET /api/team-progress-last-week',
  'GET /api/team-progress-weekly',
  'GET /api/reports/funnel',
  'GET /api/reports/groups',
  'GET /api/reports/export',
  'GET /api/reports/slipped',
  'GET /api/reports/pipeline',
  'GET /api/reports/activity',
  'GET /api/reports/call-times',
];

/** Of these, not those for own leads either: what is changed may be leads of others. */
const UNLIMITED = ['GET /api/changes/:batchId', 'GET /api/changes'];
const OPEN = [...FOR_ALL, ...UNFENCED, ...UNLIMITED];

const CALLS_BY_NAME = new Map(
  Object.values(CALLS)
    .flat()
    .map((call) => [`${call.method} ${call.path}`, call]),
);
const names = [...CALLS_BY_NAME.keys()];

test('the lists name calls of the contract, each once', () => {
  expect(OPEN.filter((name) => !CALLS_BY_NAME.has(name))).toEqual([]);
  expect(new Set(OPEN).size).toBe(OPEN.length);
});

test('no call that is for the account, takes a file or a form is for programs', () => {
  const open = OPEN.flatMap((name) => CALLS_BY_NAME.get(name) ?? []);
  expect(open.filter(({ upload, urlEncoded }) => upload || urlEncoded).map(({ path }) => path)).toEqual([]);
  const paths = open.map(({ path }) => path);
  expect(paths.filter((path) => /account|token|auth|password|passkey|backup|calendar|invitation/.test(path))).toEqual(
    [],
  );
});

let t: TestApp;
let user: TestUser;
const programs = {} as Record<'reader' | 'writer' | 'administrator' | 'ownLeads' | 'inView' | 'outOfView', TestProgram>;
beforeAll(async () => {
  t = await testApp();
  user = await t.user('admin');
  const view = async (settings: Record<string, string>, name: string) =>
    (await t.request(user, createView, { body: { name, settings, shared: false } })).body.id;
  programs.reader = await t.program(user, { rights: 'read' });
  programs.writer = await t.program(user, { rights: 'write' });
  programs.administrator = await t.program(user, { rights: 'admin' });
  programs.ownLeads = await t.program(user, { rights: 'write', ownLeads: true });
  programs.inView = await t.program(user, { rights: 'write', viewId: await view({}, 'All') });
  programs.outOfView = await t.program(user, { rights: 'write', viewId: await view({ tags: 'none has it' }, 'None') });
});
afterAll(() => t.close());

/** An invalid body: permitted programs get 400, refused ones must not see validation errors. */
async function send(program: TestProgram, call: AnyCall, params?: Awaited<ReturnType<typeof createParameters>>) {
  const input = { params: params ?? NOWHERE, ...(call.method !== 'GET' && { body: { nonsense: true } as never }) };
  const { status, body } = await t.request(program, call, input);
  return { status, code: status < 300 ? undefined : body?.code, errors: status < 300 ? undefined : body?.errors };
}

/** Refused before the parameters are read. */
const NOWHERE = new Proxy({}, { get: () => '1' }) as never;
const REFUSED = { status: 403, code: 'token_not_allowed', errors: undefined };
const FORBIDDEN = { ...REFUSED, code: 'forbidden' };

describe('a call that is not for programs is refused to every token', () => {
  test.each(names.filter((name) => !OPEN.includes(name)))('%s', async (name) => {
    const call = CALLS_BY_NAME.get(name) as AnyCall;
    for (const program of [programs.reader, programs.writer, programs.administrator, programs.inView])
      expect(await send(program, call)).toEqual(REFUSED);
    // It has the role of a user, which the call may refuse first.
    expect([REFUSED, FORBIDDEN]).toContainEqual(await send(programs.ownLeads, call));
  });
});

const RANK = { read: 1, write: 2, admin: 3 };

describe('a call for programs is made with the rights that it needs', () => {
  test.each(OPEN)('%s', async (name) => {
    const call = CALLS_BY_NAME.get(name) as AnyCall;
    const rights = name.startsWith('GET ') ? 'read' : 'write';
    expect(rightsFor(call)).toBe(call.access === 'admin' ? 'admin' : rights);
    const rank = RANK[rightsFor(call)];
    const tokens = { reader: 1, writer: 2, administrator: 3, inView: 2 } as const;
    for (const [kind, has] of Object.entries(tokens) as [keyof typeof tokens, number][]) {
      const allowed = has >= rank && (kind !== 'inView' || FOR_ALL.includes(name));
      const response = await send(programs[kind], call, allowed ? await createParameters(t, call, user) : undefined);
      if (allowed) expect([401, 403], kind).not.toContain(response.status);
      else expect(response, kind).toEqual(REFUSED);
    }
  });
});

describe('a call that shows what was done with any lead is refused to a token for own leads', () => {
  test.each(UNLIMITED)('%s', async (name) => {
    expect(await send(programs.ownLeads, CALLS_BY_NAME.get(name) as AnyCall)).toEqual(REFUSED);
  });
});

/** What names a lead, or something of one. */
const OF_A_LEAD = /:(id|uuid|activityId|commentId|followUpId)\b/;

describe('a call on a lead is refused to a token whose saved view does not have it', () => {
  test.each(FOR_ALL.filter((name) => OF_A_LEAD.test(name)))('%s', async (name) => {
    const call = CALLS_BY_NAME.get(name) as AnyCall;
    expect(await send(programs.outOfView, call, await createParameters(t, call, user))).toEqual(REFUSED);
  });
});

describe('a call on a lead of another user is refused to a token for own leads', () => {
  test.each(FOR_ALL.filter((name) => OF_A_LEAD.test(name)))('%s', async (name) => {
    const call = CALLS_BY_NAME.get(name) as AnyCall;
    const params = await createParameters(t, call, await t.user());
    expect(await send(programs.ownLeads, call, params)).toMatchObject({ status: 403, errors: undefined });
  });
});

test('the description of the calls is for programs, the stream of events is not', async () => {
  const get = (url: string) => t.inject({ url, headers: { authorization: programs.reader.authorization } });
  const description = await get('/api/openapi.json');
  expect(description.statusCode).toBe(200);
  expect(description.json().components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
  const { paths } = description.json();
  expect(paths['/api/leads'].get).toMatchObject({ security: [{ session: [] }, { token: [] }], 'x-rights': 'read' });
  expect(paths['/api/account/password'].post.security).toEqual([{ session: [] }]);
  const events = await get('/api/events');
  expect(events.json()).toMatchObject({ code: 'token_not_allowed' });
});
