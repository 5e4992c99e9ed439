import { once } from 'node:events';
import { connect } from 'node:net';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '#contract/auth/auth.calls.ts';
import { createUser, listUsers } from '#contract/users/users.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  t = await testApp({ env: { APP_URL: 'http://leads.example.test:8080' } });
  [admin, user] = [await t.user('admin'), await t.user('user')];
});
afterAll(() => t.close());

async function codeOf(options: InjectOptions) {
  const response = await t.inject(options);
  return { status: response.statusCode, code: response.json().code };
}
const json = { 'content-type': 'application/json' };
const asAdmin = () => ({ ...json, cookie: admin.cookie });
const post = (headers: Record<string, string>, payload: string | Buffer = '{}', url = '/api/users') =>
  codeOf({ method: 'POST', url, headers, payload });

describe('host', () => {
  test.each([
    'localhost',
    'localhost:1',
    '127.0.0.1:3000',
    '[::1]:3000',
    'leads.example.test',
    'LEADS.example.test:99',
  ])('%s is known', async (host) =>
    expect((await t.inject({ url: '/api/setup', headers: { host } })).statusCode).toBe(200),
  );
  test.each(['evil.example', 'leads.example.test.evil.example', 'localhost.evil.example', '10.0.0.1'])(
    '%j is refused before anything else',
    async (host) => {
      for (const url of ['/api/users', '/api/unknown', '/']) {
        expect(await codeOf({ url, headers: { host } })).toEqual({ status: 421, code: 'unknown_host' });
      }
    },
  );
  test('health checks may come under any name', async () => {
    for (const url of ['/healthz', '/readyz', '/healthz?x=1']) {
      expect((await t.inject({ url, headers: { host: '10.1.2.3' } })).statusCode).toBe(200);
    }
  });
});

describe('cross-site', () => {
  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'http://leads.example.test:8080' }, 200],
    [{ origin: 'http://localhost' }, 200],
    [{ origin: 'http://localhost:99' }, 403],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 200],
  ])('a change with %o answers %i', async (headers, status) => {
    const response = await t.inject({ method: 'POST', url: '/api/logout', headers });
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response.json().code).toBe('cross_site');
  });
  test.each([
    ['leads.example.test', 'https://leads.example.test', 200],
    ['leads.example.test:443', 'https://leads.example.test', 200],
    ['localhost:3000', 'https://localhost:3000', 200],
    ['leads.example.test', 'http://leads.example.test', 403],
    ['leads.example.test:8080', 'http://leads.example.test:8080', 403],
    ['localhost:3000', 'http://localhost:3000', 403],
    ['leads.example.test', 'https://leads.example.test:8443', 403],
  ])('with an https address, a change sent to %s by %s answers %i', async (host, origin, status) => {
    const secure = await testApp({ env: { APP_URL: 'https://leads.example.test' } });
    const response = await secure.inject({ method: 'POST', url: '/api/logout', headers: { host, origin } });
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response.json().code).toBe('cross_site');
    await secure.close();
  });
  test('reading is not asked where it comes from', async () => {
    expect((await t.inject({ url: '/api/setup', headers: { 'sec-fetch-site': 'cross-site' } })).statusCode).toBe(200);
  });
});

describe('the user that a page shows', () => {
  const shown = (id: unknown) => ({ ...json, cookie: user.cookie, 'x-viewer-id': String(id) });

  test("a call in that user's own session is answered", async () => {
    expect((await t.inject({ url: '/api/user', headers: shown(user.id) })).statusCode).toBe(200);
  });
  test.each(['admin', 'nonsense', ''])('a call in the session of another than %j is refused', async (other) => {
    const id = other === 'admin' ? admin.id : other;
    expect(await codeOf({ url: '/api/user', headers: shown(id) })).toEqual({ status: 409, code: 'session_changed' });
    expect(await post(shown(id), '{}', '/api/logout')).toEqual({ status: 409, code: 'session_changed' });
    expect((await t.inject({ url: '/api/user', headers: { cookie: user.cookie } })).statusCode).toBe(200);
  });
  test('without a session it is a matter of signing in', async () => {
    const headers = { 'x-viewer-id': String(user.id) };
    expect(await codeOf({ url: '/api/settings', headers })).toEqual({ status: 401, code: 'not_authenticated' });
  });
});

describe('the order of refusals', () => {
  const crossSite = { 'sec-fetch-site': 'cross-site' };
  test('session, cross-site, role, media type, path, existence, body', async () => {
    const url = '/api/users/999999999/reset-password';
    expect(await post({ 'content-type': 'text/plain', ...crossSite }, 'x', url)).toEqual({
      status: 401,
      code: 'not_authenticated',
    });
    const plain = { 'content-type': 'text/plain' };
    expect(await post({ ...plain, ...crossSite, cookie: user.cookie }, 'x', url)).toEqual({
      status: 403,
      code: 'cross_site',
    });
    expect(await post({ ...plain, cookie: user.cookie }, 'x', url)).toEqual({ status: 403, code: 'forbidden' });
    expect(await post({ ...plain, cookie: admin.cookie }, 'x', '/api/users/abc/unlock')).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    });
    expect(await post(asAdmin(), '{', '/api/users/abc/unlock')).toEqual({ status: 400, code: 'invalid_id' });
    expect(await post(asAdmin(), '{', url)).toEqual({ status: 404, code: 'not_found' });
    expect(await post(asAdmin(), '{', `/api/users/${user.id}/reset-password`)).toEqual({
      status: 400,
      code: 'invalid_json',
    });
    expect(await post(asAdmin(), '{}', `/api/users/${user.id}/reset-password`)).toEqual({
      status: 400,
      code: 'validation_failed',
    });
  });
});

describe('bodies', () => {
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/vnd.api+json'],
    ['application/json; charset=utf-16'],
    ['application/jsonp'],
  ])('%s is not JSON', async (type) => {
    expect(await post({ ...asAdmin(), 'content-type': type })).toEqual({ status: 415, code: 'unsupported_media_type' });
  });
  test('nor is a body without a type, or one that is packed', async () => {
    const { 'content-type': _, ...untyped } = asAdmin();
    expect(await post({ ...untyped, 'content-length': '2' })).toEqual({ status: 415, code: 'unsupported_media_type' });
    expect(await post({ ...asAdmin(), 'content-encoding': 'gzip' })).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    });
  });
  test('the character set may be named', async () => {
    const response = await post({ ...asAdmin(), 'content-type': 'application/json; charset=UTF-8' });
    expect(response).toEqual({ status: 400, code: 'validation_failed' });
  });
  test('256 KiB is the limit, by claim and by count', async () => {
    const tooLarge = JSON.stringify({ username: 'x'.repeat(256 * 1024) });
    expect(await post(asAdmin(), tooLarge)).toEqual({ status: 413, code: 'too_large' });
    const fits = JSON.stringify({ username: 'x'.repeat(255 * 1024) });
    expect(await post(asAdmin(), fits)).toEqual({ status: 400, code: 'validation_failed' });
  });
  test.each([
    ['{"__proto__": {"role": "admin"}}', 'validation_failed'],
    ['{"a": [{"constructor": 1}]}', 'validation_failed'],
    ['{"prototype": 1}', 'validation_failed'],
    ['{"username": "a\\u0000b"}', 'validation_failed'],
    ['{"username": "a\\ud800b"}', 'validation_failed'],
    [`${'['.repeat(11)}${']'.repeat(11)}`, 'validation_failed'],
    ['{"a": 1,}', 'invalid_json'],
    ['', 'validation_failed'],
    ['null', 'validation_failed'],
    ['[]', 'validation_failed'],
  ])('%s is refused', async (payload, code) => {
    expect(await post(asAdmin(), payload)).toEqual({ status: 400, code });
  });
  test('bytes that are not UTF-8 are not JSON', async () => {
    expect(await post(asAdmin(), Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toEqual({ status: 400, code: 'invalid_json' });
  });
});

describe('bodies of calls that take none', () => {
  const unlock = (payload: string | Buffer, headers = asAdmin(), id: number | string = user.id) =>
    post(headers, payload, `/api/users/${id}/unlock`);
  test.each(['{', '{"a": 1,}', 'nonsense', Buffer.from([0x22, 0xff, 0xfe, 0x22])])(
    '%j is not JSON, and nothing is done',
    async (payload) => {
      const victim = await t.user('user', { failedLoginAttempts: 3 });
      expect(await unlock(payload, asAdmin(), victim.id)).toEqual({ status: 400, code: 'invalid_json' });
      const all = await t.request(admin, listUsers);
      expect(all.body.find(({ id }) => id === victim.id)?.failedLoginAttempts).toBe(3);
      expect(await post({ ...json, cookie: victim.cookie }, payload, '/api/notifications/read-all')).toEqual({
        status: 400,
        code: 'invalid_json',
      });
      const lead = await t.lead(victim);
      const sent = { method: 'DELETE', headers: { ...json, cookie: victim.cookie }, payload } as const;
      expect(await codeOf({ ...sent, url: `/api/business/${lead.id}/delete` })).toEqual({
        status: 400,
        code: 'invalid_json',
      });
      expect((await t.inject({ url: `/api/business-profile/${lead.id}`, headers: sent.headers })).statusCode).toBe(200);
      const stranger = { ...sent, headers: { ...json, cookie: user.cookie } };
      for (const [method, path] of [
        ['DELETE', 'delete'],
        ['POST', 'archive'],
      ] as const) {
        const url = `/api/business/${lead.id}/${path}`;
        expect(await codeOf({ ...stranger, method, url })).toEqual({ status: 403, code: 'not_your_lead' });
      }
      const loggedOut = await t.inject({ method: 'POST', url: '/api/logout', headers: sent.headers, payload });
      expect(loggedOut.statusCode).toBe(200);
      expect((await t.inject({ url: '/api/user', headers: sent.headers })).statusCode).toBe(401);
    },
  );
  test('it is refused after session, cross-site, role, media type, size, path and object', async () => {
    expect(await unlock('{', asAdmin(), 2_147_483_647)).toEqual({ status: 404, code: 'not_found' });
    expect(await unlock('{', json as never)).toEqual({ status: 401, code: 'not_authenticated' });
    expect(await unlock('{', { ...asAdmin(), 'sec-fetch-site': 'cross-site' } as never)).toEqual({
      status: 403,
      code: 'cross_site',
    });
    expect(await unlock('{', { ...json, cookie: user.cookie })).toEqual({ status: 403, code: 'forbidden' });
    expect(await unlock('{', { ...asAdmin(), 'content-type': 'text/plain' })).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    });
    expect(await unlock(`{${' '.repeat(256 * 1024)}`)).toEqual({ status: 413, code: 'too_large' });
    expect(await unlock('{', asAdmin(), 'abc')).toEqual({ status: 400, code: 'invalid_id' });
  });
  test.each(['', '{}', 'null', '[]', '{"nonsense": true}'])('%j is ignored', async (payload) => {
    const response = await t.inject({
      method: 'POST',
      url: `/api/users/${user.id}/unlock`,
      headers: asAdmin(),
      payload,
    });
    expect(response.statusCode).toBe(200);
  });
});

describe('unknown paths', () => {
  test.each(['/api', '/api/', '/api/nothing', '/api/users/1/nothing', '/api/../api/nothing'])(
    '%s is a JSON 404',
    async (url) => {
      const response = await t.inject({ url });
      expect(response.statusCode).toBe(404);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.json()).toMatchObject({ code: 'not_found' });
    },
  );
  test('a known path with another method is 405 and says which it takes', async () => {
    const response = await t.inject({ method: 'PATCH', url: '/api/users' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, POST');
    expect(response.json().code).toBe('method_not_allowed');
    expect((await t.inject({ method: 'OPTIONS', url: '/api/users/5' })).headers.allow).toBe('PUT, DELETE');
    expect((await t.inject({ method: 'POST', url: '/healthz' })).headers.allow).toBe('GET');
  });
  test('an address that cannot be read is 400', async () => {
    expect(await codeOf({ url: '/api/users/%zz' })).toEqual({ status: 400, code: 'invalid_request' });
  });
  test('no method is overridden', async () => {
    const headers = { ...asAdmin(), 'x-http-method-override': 'DELETE' };
    expect((await t.inject({ method: 'POST', url: `/api/users/${user.id}`, headers })).statusCode).toBe(405);
  });
});

describe('headers', () => {
  test.each(['/api/setup', '/api/users', '/api/nothing', '/healthz', '/nowhere.txt', '/api/users/%zz'])(
    'of %s',
    async (url) => {
      const { headers } = await t.inject({ url });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      });
      for (const absent of [
        'x-powered-by',
        'access-control-allow-origin',
        'etag',
        'strict-transport-security',
        'server',
      ]) {
        expect(headers).not.toHaveProperty(absent);
      }
      if (url.startsWith('/api')) expect(headers['cache-control']).toBe('no-store');
    },
  );
});

test('limits: reads, writes and anonymous callers are counted apart, and told when to come back', async () => {
  const strict = await testApp({ env: { RATE_LIMIT_FACTOR: '0.01' } });
  const [one, two] = [await strict.user('admin'), await strict.user('admin')];
  const reads = await Promise.all(Array.from({ length: 13 }, () => strict.request(one, listUsers)));
  expect(reads.filter(({ status }) => status === 200)).toHaveLength(12);
  const limited = reads.find(({ status }) => status === 429);
  expect(limited?.body.code).toBe('rate_limited');
  expect(Number(limited?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await strict.request(one, createUser, { body: {} as never })).status).toBe(400);
  expect((await strict.request(two, listUsers)).status).toBe(200);
  expect((await strict.request(null, login, { body: {} as never })).status).toBe(400);
  expect((await strict.request(null, login, { body: {} as never })).status).toBe(429);
  await strict.close();
});

test('a request is one line in the log: the pattern of its route, and nothing that was sent', async () => {
  await t.inject({
    method: 'POST',
    url: `/api/users/${user.id}/reset-password?secret=in-the-query`,
    headers: asAdmin(),
    payload: JSON.stringify({ newPassword: 'not-to-be-logged' }),
  });
  await t.inject({ url: '/api/auth/verify-reset-token/token-not-to-be-logged' });
  const lines = t.lines.map((line) => JSON.parse(line));
  expect(lines.at(-2)).toMatchObject({
    level: 'info',
    method: 'POST',
    route: '/api/users/:id/reset-password',
    status: 200,
    userId: admin.id,
    address: '127.0.0.1',
  });
  expect(lines.at(-2).requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(t.lines.join('')).not.toMatch(/not-to-be-logged|in-the-query|hs_session|example\.test/);
});

test('a body that breaks off is no error of ours', async () => {
  const alone = await testApp();
  const { http } = alone.app;
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
  );
  const [incoming] = await once(http.server, 'request');
  socket.destroy();
  await new Promise((gone) => incoming.once('close', gone));
  await alone.close();
  expect(alone.lines.join('')).not.toMatch(/"level":"(warn|error)"/);
});

test('a slow or broken sender gets an answer or a closed line, and the server lives', async () => {
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.http.server.address() as { port: number };
  const sent = (bytes: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
      let response = '';
      socket.on('data', (chunk) => {
        response += chunk;
      });
      socket.on('error', () => resolve(response));
      socket.on('close', () => resolve(response));
    });
  const unreadable = await sent('NONSENSE\r\n\r\n');
  expect(unreadable).toMatch(/^HTTP\/1.1 400/);
  expect(unreadable).toContain('x-content-type-options: nosniff');
  expect(unreadable).toMatch(/\{"message":"The request cannot be read","code":"invalid_request"\}$/);
  const overloaded = await sent(`GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-much: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(overloaded).toMatch(/^HTTP\/1.1 431 /);
  expect(overloaded).toMatch(/\{"message":"The request's headers are too large","code":"too_large"\}$/);
  expect(await sent('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 421/);
  await sent(
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"',
  );
  expect(t.app.http.server.headersTimeout).toBe(10_000);
  expect((await t.inject({ url: '/healthz' })).json()).toEqual({ status: 'ok' });
});
