import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  t = await testApp({ env: { APP_URL: 'http://leads.example.test:8080' } });
  [admin, user] = [await t.user('admin'), await t.user('user')];
});
afterAll(() => t.close());

async function readRefusal(options: InjectOptions) {
  const response = await t.inject(options);
  return { status: response.statusCode, code: response.json().code };
}
const json = { 'content-type': 'application/json' };
const post = (headers: Record<string, string>, payload: string | Buffer = '{}', url = '/api/users') =>
  readRefusal({ method: 'POST', url, headers, payload });

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
        expect(await readRefusal({ url, headers: { host } })).toEqual({ status: 421, code: 'unknown_host' });
      }
    },
  );
  test('health checks may use any host name', async () => {
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
  ])('a write with %o returns %i', async (headers, status) => {
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
  ])('with an https APP_URL, a write to %s from %s returns %i', async (host, origin, status) => {
    const secure = await testApp({ env: { APP_URL: 'https://leads.example.test' } });
    const response = await secure.inject({ method: 'POST', url: '/api/logout', headers: { host, origin } });
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response.json().code).toBe('cross_site');
    await secure.close();
  });
  test('reads are not checked for their origin', async () => {
    expect((await t.inject({ url: '/api/setup', headers: { 'sec-fetch-site': 'cross-site' } })).statusCode).toBe(200);
  });
});

describe('the X-Viewer-Id header', () => {
  const viewerHeaders = (id: unknown) => ({ ...json, cookie: user.cookie, 'x-viewer-id': String(id) });

  test("a call in that user's own session succeeds", async () => {
    expect((await t.inject({ url: '/api/user', headers: viewerHeaders(user.id) })).statusCode).toBe(200);
  });
  test.each(['admin', 'nonsense', ''])('a call in another session than that of %j is refused', async (other) => {
    const id = other === 'admin' ? admin.id : other;
    expect(await readRefusal({ url: '/api/user', headers: viewerHeaders(id) })).toEqual({
      status: 409,
      code: 'session_changed',
    });
    expect(await post(viewerHeaders(id), '{}', '/api/logout')).toEqual({ status: 409, code: 'session_changed' });
    expect((await t.inject({ url: '/api/user', headers: { cookie: user.cookie } })).statusCode).toBe(200);
  });
  test('without a session the call is refused as not authenticated', async () => {
    const headers = { 'x-viewer-id': String(user.id) };
    expect(await readRefusal({ url: '/api/settings', headers })).toEqual({ status: 401, code: 'not_authenticated' });
  });
});
