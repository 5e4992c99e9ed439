import { randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOtherSessions, exportAccount } from '#contract/account/account.calls.ts';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import { getUser } from '#contract/auth/auth.calls.ts';
import { DEFAULT_SECURITY } from '#contract/auth/security-rules.ts';
import { BATCH_HEADER, listChanges } from '#contract/changes/changes.calls.ts';
import { bulkAddTag } from '#contract/leads/bulk/bulk.calls.ts';
import { addComment } from '#contract/leads/comments/comments.calls.ts';
import { countLeads, exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listAllTags, listLeadPoints, listLeads } from '#contract/leads/lead-lists.calls.ts';
import * as leads from '#contract/leads/leads.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { getTeamProgress } from '#contract/progress/progress.calls.ts';
import { MAX_TOKENS } from '#contract/tokens/token.ts';
import * as calls from '#contract/tokens/tokens.calls.ts';
import { deleteUser, listUsers, setUserActive, setUserPassword } from '#contract/users/users.calls.ts';
import { changeView, createView, deleteView } from '#contract/views/views.calls.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import { hashSecret } from '#server/kit/secrets.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { leads as leadTable } from '#server/schema/leads.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { teamSettings } from '#server/schema/settings.ts';
import { apiTokens } from '#server/schema/tokens.ts';
import { sessions, ssoIdentities, users } from '#server/schema/users.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';
import { composeTokenNotice, tokenNoticeJob } from './token-notices.ts';
import { newTokenSecret } from './token-secret.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const make = (user: TestUser, body: object = {}) =>
  t.request(user, calls.createToken, { body: { name: 'n8n', ...body } as never });
const list = (sender: TestUser | TestProgram, query = {}) => t.request(sender, listLeads, { query });
const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.items.map(({ userBusiness }) => userBusiness.id);
const readToken = async (tokenId: string) => (await t.db.select().from(apiTokens).where(eq(apiTokens.id, tokenId)))[0];
const NOT_VALID = {
  status: 401,
  body: { code: 'not_authenticated', message: 'This token is not valid, or no longer' },
};

describe('making and ending', () => {
  test('a token is shown once, and only its hash is stored', async () => {
    const user = await t.user();
    const { status, body } = await make(user);
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^hs_[0-9A-Za-z]{49}$/);
    const shown = { name: 'n8n', lastFour: body.secret.slice(-4), rights: 'read', ownLeads: false, view: null };
    expect(body.token).toMatchObject({ ...shown, lastUsedAt: null });
    const days = (Date.parse(body.token.expiresAt) - Date.parse(body.token.createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const listed = await t.request(user, calls.listTokens);
    expect(listed.body).toEqual([body.token]);
    const stored = await readToken(body.token.id);
    expect(stored?.hash).toBe(hashSecret(body.secret));
    expect(JSON.stringify(stored)).not.toContain(body.secret.slice(3, -4));
  });

  test('its user is told by e-mail, and the audit says what it may do, not its name', async () => {
    const user = await t.user();
    const { body } = await make(user, { name: 'Secret plans', rights: 'write' });
    const mails = await t.db.select().from(mailOutbox).where(eq(mailOutbox.userId, user.id));
    expect(mails).toMatchObject([{ kind: 'token_created', data: { name: 'Secret plans' } }]);
    await t.request(user, calls.endToken, { params: { tokenId: body.token.id } });
    const events = await t.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.actorId, user.id))
      .orderBy(auditEvents.id);
    const details = { kind: 'write', target: `…${body.token.lastFour}` };
    const common = { subjectType: 'user', subjectId: user.id, details, program: null };
    expect(events).toMatchObject([
      { event: 'token_created', ...common },
      { event: 'token_ended', ...common },
    ]);
    expect(JSON.stringify(events)).not.toContain('Secret plans');
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ rights: 'all' }, 'rights'],
    [{ days: 366 }, 'days'],
    [{ days: 0 }, 'days'],
    [{ days: 1.5 }, 'days'],
    [{ viewId: 'mine' }, 'viewId'],
    [{ rights: 'admin', ownLeads: true }, 'rights'],
  ])('%o is refused', async (body, path) => {
    const response = await make(await t.user('admin'), body);
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path }] } });
  });

  test('a name is used once by a user', async () => {
    const user = await t.user();
    await make(user, { name: 'n8n' });
    const again = await make(user, { name: 'N8N' });
    expect(again).toMatchObject({ status: 409, body: { code: 'duplicate_name', errors: [{ path: 'name' }] } });
    expect((await make(await t.user(), { name: 'n8n' })).status).toBe(201);
  });

  test('once expired, a token gives its name and its place to the next', async () => {
    const user = await t.user();
    for (let nth = 1; nth < MAX_TOKENS; nth += 1) await t.program(user);
    const { tokenId } = await t.program(user, { name: 'n8n' });
    expect((await make(user, { name: 'n8n' })).body.code).toBe('too_many_tokens');
    const other = await t.program(await t.user());
    const expired = inArray(apiTokens.id, [tokenId, other.tokenId]);
    await t.db.update(apiTokens).set({ expiresAt: sql`now()` }).where(expired);
    const made = await make(user, { name: 'n8n' });
    expect(made.status).toBe(201);
    expect(await readToken(tokenId)).toBeUndefined();
    expect(await readToken(other.tokenId)).toBeDefined();
  });

  test(`a user has at most ${MAX_TOKENS}`, async () => {
    const user = await t.user();
    for (let nth = 1; nth < MAX_TOKENS; nth += 1) await t.program(user);
    const both = await Promise.all([make(user, { name: 'a' }), make(user, { name: 'b' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('only administrators let a program administer', async () => {
    for (const role of ['user', 'manager'] as const)
      expect(await make(await t.user(role), { rights: 'admin' })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    expect((await make(await t.user('admin'), { rights: 'admin' })).status).toBe(201);
  });

  test('the view must be one of the list that its user sees', async () => {
    const [user, other] = [await t.user('manager'), await t.user('manager')];
    const view = async (owner: TestUser, body: object) =>
      (await t.request(owner, createView, { body: { name: 'Hot', settings: {}, shared: false, ...body } as never }))
        .body.id;
    const refused = { status: 400, body: { errors: [{ path: 'viewId' }] } };
    expect(await make(user, { name: 'a', viewId: await view(other, {}) })).toMatchObject(refused);
    const reports = await view(user, { name: 'Reports', settings: { screen: 'reports' } });
    expect(await make(user, { name: 'b', viewId: reports })).toMatchObject(refused);
    const shared = await view(other, { name: 'Shared', shared: true });
    const made = await make(user, { name: 'c', viewId: shared });
    expect(made.body.token.view).toEqual({ id: shared, name: 'Shared' });
    // Users of other tests would see it.
    await t.request(other, deleteView, { params: { viewId: shared } });
  });

  test('users end their own, administrators all', async () => {
    const [user, other, admin] = [await t.user(), await t.user(), await t.user('admin')];
    const [first, second] = [await t.program(user), await t.program(user)];
    const params = { tokenId: first.tokenId };
    expect((await t.request(other, calls.endToken, { params })).status).toBe(404);
    expect((await list(first)).status).toBe(200);
    const left = await t.request(user, calls.endToken, { params });
    expect(left.body.map(({ id }) => id)).toEqual([second.tokenId]);
    expect(await list(first)).toMatchObject(NOT_VALID);
    expect((await t.request(user, calls.endToken, { params })).status).toBe(404);

    const all = await t.request(admin, calls.listTeamTokens);
    const listed = all.body.find(({ id }) => id === second.tokenId);
    expect(listed).toMatchObject({ name: second.name, user: { id: user.id, username: user.username } });
    await t.request(admin, calls.endTeamToken, { params: { tokenId: second.tokenId } });
    expect(await list(second)).toMatchObject(NOT_VALID);
  });

  test('a session that ends meanwhile makes none that outlives it', async () => {
    const user = await t.user();
    let making: ReturnType<typeof make> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.delete(sessions).where(eq(sessions.userId, user.id));
      // The guard still finds the session.
      making = make(user);
      await expect
        .poll(async () => (await tx.execute(sql`select from pg_locks where not granted`)).rows.length)
        .toBeGreaterThan(0);
    });
    expect(await making).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect(await t.db.$count(apiTokens, eq(apiTokens.userId, user.id))).toBe(0);
  });

  test('the file of personal data has them, without the hash', async () => {
    const user = await t.user();
    const program = await t.program(user);
    const { body } = await t.request(user, exportAccount);
    expect(body.programs).toMatchObject([{ name: program.name, rights: 'read' }]);
    expect(JSON.stringify(body)).not.toContain(hashSecret(program.secret));
  });
});

describe('a request with a token', () => {
  test('is that of its user', async () => {
    const user = await t.user();
    const program = await t.program(user);
    expect((await t.request(program, getUser)).body).toMatchObject({ id: user.id, username: user.username });
  });

  test('may come from another site, where a session may not', async () => {
    const user = await t.user();
    const program = await t.program(user, { rights: 'write' });
    const { id } = await t.lead(user);
    const input = { params: { id }, body: { tag: 'hot' } };
    const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await t.request(user, leads.addTag.byId, input, { headers })).body.code).toBe('cross_site');
    expect((await t.request(program, leads.addTag.byId, input, { headers })).status).toBe(200);
  });

  test('gets no cookie and no permission for pages of other sites', async () => {
    const { headers } = await list(await t.program(await t.user()));
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('is refused together with a session, of whoever it is', async () => {
    const user = await t.user();
    const { authorization } = await t.program(user);
    for (const cookie of [user.cookie, (await t.user()).cookie, 'hs_session=nonsense']) {
      const response = await t.request({ cookie }, listLeads, {}, { headers: { authorization } });
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  test('a header for a proxy before the product says nothing', async () => {
    const user = await t.user();
    for (const authorization of ['Basic YTpi', 'Bearer eyJhbGciOiJub25lIn0', 'Bearer'])
      expect((await t.request(user, getUser, {}, { headers: { authorization } })).status).toBe(200);
  });

  const { secret: unknown } = newTokenSecret();
  test.each([
    ['unknown', unknown],
    ['cut short', unknown.slice(0, 20)],
    ['with a wrong checksum', `${unknown.slice(0, -1)}${unknown.endsWith('a') ? 'b' : 'a'}`],
    ['that is only its beginning', 'hs_'],
  ])('a token %s is refused, on calls for anyone as well', async (_, secret) => {
    const sender = { authorization: `Bearer ${secret}` };
    for (const call of [listLeads, getUser]) {
      const response = await t.request(sender, call);
      expect(response).toMatchObject(NOT_VALID);
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    }
  });

  test.each([
    ['cut short', unknown.slice(0, -1)],
    ['with a wrong checksum', `${unknown.slice(0, -1)}${unknown.endsWith('a') ? 'b' : 'a'}`],
    ['too long', `${unknown}0`],
  ])('a token %s is refused without a look-up', async (_, secret) => {
    let queries = 0;
    const count = () => {
      queries += 1;
    };
    const send = (token: string) => t.inject({ url: '/api/leads', headers: { authorization: `Bearer ${token}` } });
    t.database.pool.on('acquire', count);
    try {
      expect((await send(secret)).statusCode).toBe(401);
      expect(queries).toBe(0);
      // One that could be a token costs one.
      expect((await send(newTokenSecret().secret)).statusCode).toBe(401);
      expect(queries).toBe(1);
    } finally {
      t.database.pool.off('acquire', count);
    }
  });

  test('an expired token is refused', async () => {
    const program = await t.program(await t.user());
    await t.db.update(apiTokens).set({ expiresAt: sql`now()` }).where(eq(apiTokens.id, program.tokenId));
    expect(await list(program)).toMatchObject(NOT_VALID);
  });

  test('the time of its use is written every five minutes', async () => {
    const program = await t.program(await t.user());
    await list(program);
    const first = (await readToken(program.tokenId))?.lastUsedAt;
    expect(first).toEqual(expect.any(String));
    await list(program);
    expect((await readToken(program.tokenId))?.lastUsedAt).toBe(first);
    await t.db
      .update(apiTokens)
      .set({ lastUsedAt: sql`now() - interval '6 minutes'` })
      .where(eq(apiTokens.id, program.tokenId));
    await list(program);
    expect(Date.parse((await readToken(program.tokenId))?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first ?? ''),
    );
  });
});

describe('it ends with', () => {
  const cases: [string, (user: TestUser, admin: TestUser) => Promise<unknown>][] = [
    ['"End all other sessions"', (user) => t.request(user, endOtherSessions)],
    [
      'a password that an administrator sets',
      ({ id }, admin) => t.request(admin, setUserPassword, { params: { id }, body: { newPassword: 'Another pass 1' } }),
    ],
    [
      'deactivation, for good',
      async ({ id }, admin) => {
        for (const active of [false, true]) await t.request(admin, setUserActive, { params: { id }, body: { active } });
      },
    ],
    ['the account', ({ id }, admin) => t.request(admin, deleteUser, { params: { id } })],
  ];
  test.each(cases)('%s', async (_, end) => {
    const [user, admin] = [await t.user(), await t.user('admin')];
    const program = await t.program(user);
    expect((await list(program)).status).toBe(200);
    await end(user, admin);
    expect(await list(program)).toMatchObject(NOT_VALID);
    expect(await readToken(program.tokenId)).toBeUndefined();
  });

  test('an account that is inactive otherwise', async () => {
    const user = await t.user();
    const program = await t.program(user);
    await t.db.update(users).set({ active: false }).where(eq(users.id, user.id));
    expect(await list(program)).toMatchObject(NOT_VALID);
  });
});

test('it waits for the second factor that the team wants of its user, as a session does', async () => {
  const own = await testApp({ ownDatabase: true });
  try {
    const admin = await own.user('admin', { createdAt: sql`now() - interval '30 days'` as never });
    const program = await own.program(admin);
    const rules = { ...DEFAULT_SECURITY, secondFactor: 'admins', graceDays: 0 };
    await own.db.insert(teamSettings).values({ name: 'security', value: rules });
    await own.db.update(teamSettings).set({ changedAt: sql`now() - interval '1 minute'` });
    for (const call of [listLeads, getUser])
      expect(await own.request(program, call)).toMatchObject({ status: 403, body: { code: 'second_factor_required' } });
    await own.db.insert(ssoIdentities).values({ issuer: 'https://id.example.test', subject: 'ada', userId: admin.id });
    expect((await own.request(program, listLeads)).status).toBe(200);
  } finally {
    await own.close();
  }
});

describe('it may do no more than', () => {
  test('its rights', async () => {
    const admin = await t.user('admin');
    const { id } = await t.lead(admin);
    const change = (program: TestProgram) =>
      t.request(program, leads.changeLeadStatus.byId, { params: { id }, body: { status: 'recontact' } });
    const [reader, writer, administrator] = [
      await t.program(admin, { rights: 'read' }),
      await t.program(admin, { rights: 'write' }),
      await t.program(admin, { rights: 'admin' }),
    ];
    const refused = (message: string) => ({ status: 403, body: { code: 'token_not_allowed', message } });
    expect(await change(reader)).toMatchObject(refused('This token may only read'));
    expect((await change(writer)).status).toBe(200);
    expect(await t.request(writer, listUsers)).toMatchObject(
      refused('This token may not make calls of administrators'),
    );
    expect((await t.request(administrator, listUsers)).status).toBe(200);
    expect(await t.request(administrator, calls.createToken, { body: { name: 'more' } })).toMatchObject(
      refused('This call is not for tokens'),
    );
  });

  test('its user may now', async () => {
    const [admin, other] = [await t.user('admin'), await t.user()];
    const program = await t.program(admin, { rights: 'admin' });
    const { id } = await t.lead(other);
    expect((await t.request(program, leads.getLead.byId, { params: { id } })).status).toBe(200);
    await t.db.update(users).set({ role: 'user' }).where(eq(users.id, admin.id));
    expect((await t.request(program, listUsers)).body.code).toBe('forbidden');
    expect((await t.request(program, leads.getLead.byId, { params: { id } })).body.code).toBe('not_your_lead');
  });

  test('with the leads that its user holds, where it is limited to them', async () => {
    const [admin, other] = [await t.user('admin'), await t.user()];
    const [own, foreign] = [await t.lead(admin), await t.lead(other)];
    const program = await t.program(admin, { rights: 'write', ownLeads: true });
    expect(idsOf(await list(program))).toEqual([own.id]);
    expect(idsOf(await list(program, { after: 0 }))).toEqual([own.id]);
    const params = { id: foreign.id };
    expect((await t.request(program, leads.getLead.byId, { params })).body.code).toBe('not_your_lead');
    const body = { tag: 'hot' };
    expect((await t.request(program, leads.addTag.byId, { params, body })).body.code).toBe('not_your_lead');
    expect((await t.request(program, leads.addTag.byId, { params: { id: own.id }, body })).status).toBe(200);
    expect((await list(program, { team: true })).body.code).toBe('forbidden');
    expect((await t.request(program, getTeamProgress)).body.code).toBe('forbidden');
  });

  test('and not with changes of leads that its user does not hold', async () => {
    const [admin, other] = [await t.user('admin'), await t.user()];
    const { id } = await t.lead(other, {}, { name: 'Greengage Grocer' });
    await t.request(admin, leads.addTag.byId, { params: { id }, body: { tag: 'hot' } });
    const program = await t.program(admin, { ownLeads: true });
    expect(await t.request(program, listChanges)).toMatchObject({
      status: 403,
      body: { code: 'token_not_allowed', message: 'This call is not for tokens that are limited to own leads' },
    });
    const query = { userId: admin.id };
    expect((await t.request(await t.program(admin), listChanges, { query })).body.items).toHaveLength(1);
  });
});

describe('a saved view limits it', () => {
  async function fenced(settings: Record<string, string>, role: 'user' | 'manager' | 'admin' = 'user') {
    const user = await t.user(role);
    const view = await t.request(user, createView, { body: { name: 'Fence', settings, shared: false } });
    const program = await t.program(user, { rights: 'write', viewId: view.body.id });
    return { user, program, viewId: view.body.id };
  }
  const OUTSIDE = { status: 403, body: { code: 'token_not_allowed' } };

  test('in lists, counts, points and exports, whatever the filter', async () => {
    const { user, program } = await fenced({ tags: 'hot' });
    const inside = await t.lead(user, { tags: ['hot'] }, { name: 'Bluebell Bakery', latitude: 53.8, longitude: -1.5 });
    await t.lead(user, { tags: ['cold'] }, { name: 'Greengage Grocer', latitude: 53.8, longitude: -1.5 });
    await t.lead(user, { tags: ['hot'], archived: true });
    for (const query of [{}, { archived: true, existing: true, hideClosed: false }, { q: 'Blubell' }])
      expect(idsOf(await list(program, query))).toEqual([inside.id]);
    for (const query of [{ q: 'Greengage' }, { tags: 'cold' }, { user: (await t.user()).id, tags: 'cold' }])
      expect((await list(program, query)).body).toMatchObject({ items: [], total: 0 });
    expect((await t.request(program, countLeads, { query: { hideClosed: false } })).body).toEqual({ total: 1 });
    const points = await t.request(program, listLeadPoints);
    expect(points.body.points.map(({ id }) => id)).toEqual([inside.id]);
    const file = String((await t.request(program, exportLeads)).body);
    expect(file).toContain('Bluebell Bakery');
    expect(file).not.toContain('Greengage');
  });

  test('on single leads, for reading and for changing', async () => {
    const { user, program } = await fenced({ status: 'new' });
    const [inside, outside] = [await t.lead(user), await t.lead(user, { status: 'recontact' })];
    const read = ({ id }: { id: number }) => t.request(program, leads.getLead.byId, { params: { id } });
    const tag = ({ id }: { id: number }) =>
      t.request(program, leads.addTag.byId, { params: { id }, body: { tag: 'seen' } });
    expect((await read(inside)).status).toBe(200);
    expect(await read(outside)).toMatchObject(OUTSIDE);
    expect((await t.request(program, leads.getLead.byUuid, { params: { uuid: outside.uuid } })).body.code).toBe(
      'token_not_allowed',
    );
    expect(await tag(outside)).toMatchObject(OUTSIDE);
    expect((await t.db.select().from(leadTable).where(eq(leadTable.id, outside.id)))[0]?.tags).toEqual([]);
    expect((await tag(inside)).status).toBe(200);
    const params = { id: inside.id };
    await t.request(program, leads.changeLeadStatus.byId, { params, body: { status: 'recontact' } });
    expect(await read(inside)).toMatchObject(OUTSIDE);
  });

  test('refuses calls that cannot keep to it', async () => {
    const { program } = await fenced({});
    expect(await t.request(program, listAllTags)).toMatchObject({
      status: 403,
      body: { message: 'This call is not for tokens that are limited to a saved view' },
    });
  });

  test('with the rights of its user now, and no more than the view lists', async () => {
    const { user, program } = await fenced({ team: 'true' }, 'manager');
    const foreign = await t.lead(await t.user(), { tags: [`of ${user.id}`] });
    const query = { team: true, tags: `of ${user.id}` };
    expect(idsOf(await list(program, query))).toEqual([foreign.id]);
    await t.db.update(users).set({ role: 'user' }).where(eq(users.id, user.id));
    expect((await list(program, query)).body.code).toBe('forbidden');
    expect(await t.request(program, leads.getLead.byId, { params: { id: foreign.id } })).toMatchObject({ status: 403 });
    const own = await t.lead(user);
    expect(idsOf(await list(program))).toEqual([own.id]);
  });

  test("with the user that the view names, also where the token may not see that user's leads", async () => {
    const other = await t.user();
    const tags = { tags: ['named'] };
    await t.lead(other, tags);
    const { user, program, viewId } = await fenced({ user: String(other.id) }, 'admin');
    const own = await t.lead(user, tags);
    const limited = await t.program(user, { rights: 'write', viewId, ownLeads: true });
    expect((await list(program)).body.total).toBe(1);
    const expectNothing = async (sender: TestProgram) => {
      expect(idsOf(await list(sender))).toEqual([]);
      const read = await t.request(sender, leads.getLead.byId, { params: { id: own.id } });
      expect(read).toMatchObject(OUTSIDE);
    };
    await expectNothing(limited);
    await t.db.update(users).set({ role: 'user' }).where(eq(users.id, user.id));
    await expectNothing(program);
  });

  test('as it is at each use', async () => {
    const { user, program, viewId } = await fenced({ tags: 'hot' });
    const lead = await t.lead(user, { tags: ['cold'] });
    expect(idsOf(await list(program))).toEqual([]);
    await t.request(user, changeView, { params: { viewId }, body: { settings: { tags: 'cold' } } });
    expect(idsOf(await list(program))).toEqual([lead.id]);
    await t.request(user, changeView, { params: { viewId }, body: { settings: { screen: 'reports' } } });
    expect(await list(program)).toMatchObject(OUTSIDE);
  });

  test('also by values of a field', async () => {
    const [field] = await t.db
      .insert(ownFields)
      .values({ name: `Seats ${Date.now()}`, type: 'number', position: 1 })
      .returning({ id: ownFields.id });
    const id = field?.id ?? 0;
    const { user, program } = await fenced({ own: JSON.stringify([[id, 'is_not', 9]]) });
    const [without, outside] = [await t.lead(user), await t.lead(user, { ownFields: { [id]: 9 } })];
    expect(idsOf(await list(program))).toEqual([without.id]);
    expect(idsOf(await list(program, { own: JSON.stringify([[id, 'is', 9]]) }))).toEqual([]);
    expect(await t.request(program, leads.getLead.byId, { params: { id: outside.id } })).toMatchObject(OUTSIDE);
  });

  test('also where it filters by a field that is deleted: what is not in a field is in no other', async () => {
    const [field] = await t.db
      .insert(ownFields)
      .values({ name: `Tables ${Date.now()}`, type: 'text', position: 1 })
      .returning({ id: ownFields.id });
    const { user, program } = await fenced({ own: JSON.stringify([[field?.id, 'is_not', 'none']]) });
    const lead = await t.lead(user);
    expect(idsOf(await list(program))).toEqual([lead.id]);
    await t.db.update(ownFields).set({ state: 'deleting' });
    expect(await list(program)).toMatchObject(OUTSIDE);
  });

  test('also when it is deleted: then the token is refused', async () => {
    const { user, program, viewId } = await fenced({});
    await t.lead(user);
    await t.request(user, deleteView, { params: { viewId } });
    expect(await list(program)).toMatchObject({
      status: 403,
      body: { code: 'token_not_allowed', message: 'The saved view of this token no longer exists' },
    });
    const [token] = (await t.request(user, calls.listTokens)).body;
    expect(token?.view).toEqual({ id: viewId, name: null });
    await expect
      .poll(() => t.db.select().from(auditEvents).where(eq(auditEvents.actorId, user.id)))
      .toMatchObject([{ event: 'call_refused', program: program.name, details: { code: 'token_not_allowed' } }]);
  });
});

describe('its name', () => {
  test('is with all that it did, also when it is gone', async () => {
    const [admin, holder] = [await t.user('admin', { fullName: 'Ada Admin' }), await t.user()];
    const program = await t.program(admin, { rights: 'admin', name: 'n8n' });
    const lead = await t.lead(admin);
    const params = { id: lead.id };
    await t.request(program, leads.changeLeadStatus.byId, { params, body: { status: 'recontact' } });
    await t.request(program, leads.addActivity.byId, { params, body: { type: 'call', notes: 'Rang' } });
    await t.request(program, addComment.byId, { params, body: { text: 'Seen' } });
    await t.request(program, leads.reassignLead.byId, { params, body: { newUserId: holder.id } });
    await t.request(admin, leads.addTag.byId, { params, body: { tag: 'by-hand' } });
    await t.request(admin, calls.endToken, { params: { tokenId: program.tokenId } });

    const { body: timeline } = await t.request(admin, getTimeline.byId, { params });
    const through = timeline.items.map(({ kind, user, program }) => ({ kind, user, program }));
    const byProgram = (kind: string) => ({ kind, user: 'Ada Admin', program: 'n8n' });
    for (const kind of ['change', 'activity', 'comment', 'assignment', 'credit'])
      expect(through).toContainEqual(byProgram(kind));
    const byHand = timeline.items.filter(({ kind, program }) => kind === 'change' && program === undefined);
    expect(byHand).toMatchObject([{ change: { field: 'tag', after: 'by-hand' }, user: 'Ada Admin' }]);

    const { body: changes } = await t.request(admin, listChanges, { query: { userId: admin.id } });
    expect(changes.items.map(({ program }) => program)).toEqual([undefined, 'n8n', 'n8n', 'n8n']);
    expect(changes.items[1]?.source).toBe('api');

    const { body: audit } = await t.request(admin, listAuditEvents, { query: { userId: admin.id } });
    const reassigned = audit.items.find(({ event }) => event === 'lead_reassigned');
    expect(reassigned).toMatchObject({ program: 'n8n', actor: { fullName: 'Ada Admin' } });
    expect(audit.items.find(({ event }) => event === 'token_ended')).not.toHaveProperty('program');
  });

  test('is in the audit of a refused call', async () => {
    const user = await t.user();
    const program = await t.program(user, { name: 'Curious' });
    await t.request(program, calls.listTokens);
    await expect
      .poll(() => t.db.select().from(auditEvents).where(eq(auditEvents.actorId, user.id)))
      .toMatchObject([{ event: 'call_refused', program: 'Curious', details: { code: 'token_not_allowed' } }]);
  });
});

test('a token has a limit of its own, also once its saved view is gone', async () => {
  const limited = await testApp({ env: { RATE_LIMIT_FACTOR: '0.01' } });
  try {
    const user = await limited.user();
    const [open, lost] = [await limited.program(user), await limited.program(user, { viewId: randomUUID() })];
    for (const [program, status] of [
      [open, 200],
      [lost, 403],
    ] as const) {
      const read = () => limited.request(program, listLeads);
      for (let nth = 1; nth <= 3; nth += 1) expect((await read()).status).toBe(status);
      const refused = await read();
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
  } finally {
    await limited.close();
  }
});

test('a repeated Idempotency-Key of another program acts by itself', async () => {
  const user = await t.user();
  const { id } = await t.lead(user);
  const headers = { 'idempotency-key': 'the-same-key' };
  const add = (sender: TestUser | TestProgram) =>
    t.request(sender, addComment.byId, { params: { id }, body: { text: 'Seen' } }, { headers });
  const [first, second] = [await t.program(user, { rights: 'write' }), await t.program(user, { rights: 'write' })];
  const added = [await add(user), await add(first), await add(second)].map(({ body }) => body.id);
  expect(new Set(added).size).toBe(3);
  expect((await add(first)).body.id).toBe(added[1]);
});

test('two programs, and their user, that name a batch alike have batches of their own', async () => {
  const user = await t.user();
  const batch = randomUUID();
  const lead = await t.lead(user);
  const senders = [user, await t.program(user, { rights: 'write' }), await t.program(user, { rights: 'write' })];
  const named: unknown[] = [];
  for (const [nth, sender] of senders.entries()) {
    const body = { ids: [lead.id], tag: `tag ${nth}`, batch };
    named.push((await t.request(sender, bulkAddTag, { body })).headers[BATCH_HEADER]);
  }
  expect(new Set(named).size).toBe(3);
  const { body } = await t.request(user, listChanges);
  expect(body.items.map(({ program, count }) => ({ program, count }))).toEqual(
    [senders[2], senders[1], undefined].map((sender) => ({ program: (sender as TestProgram)?.name, count: 1 })),
  );
});

test('users are told once, a week before, that a token ends', async () => {
  const user = await t.user();
  const ends = (days: number) => sql`now() + make_interval(days => ${days})`;
  const put = async (name: string, columns: object) => {
    const { tokenId } = await t.program(user, { name });
    await t.db.update(apiTokens).set(columns).where(eq(apiTokens.id, tokenId));
  };
  await put('Soon', { createdAt: ends(-80), expiresAt: ends(6) });
  await put('Later', { createdAt: ends(-80), expiresAt: ends(8) });
  await put('Over', { createdAt: ends(-80), expiresAt: ends(0) });
  await put('Short', { createdAt: ends(0), expiresAt: ends(5) });
  const told = () => t.db.select().from(mailOutbox).where(eq(mailOutbox.userId, user.id));
  for (let nth = 0; nth < 2; nth += 1) await t.db.transaction((tx) => tokenNoticeJob.step(tx, {} as never));
  const [mail, ...more] = await told();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ kind: 'token_ends_soon', data: { name: 'Soon' } });
  const message = await composeTokenNotice(t.db, mail as never, {
    timeZone: 'Europe/London',
    appUrl: 'https://x.example',
  });
  expect(message).toMatchObject({ to: user.email, subject: 'The token of your program "Soon" ends soon' });
  expect(message?.paragraphs).toContain('https://x.example/account#programs');
});
