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

async function readRefusal(options: InjectOptions) {
  const response = await t.inject(options);
  return { status: response.statusCode, code: response.json().code };
}
const json = { 'content-type': 'application/json' };
const asAdmin = () => ({ ...json, cookie: admin.cookie });

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
  test('a known path with another method is 405 with an Allow header', async () => {
    const response = await t.inject({ method: 'PATCH', url: '/api/users' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, POST');
    expect(response.json().code).toBe('method_not_allowed');
    expect((await t.inject({ method: 'OPTIONS', url: '/api/users/5' })).headers.allow).toBe('PUT, DELETE');
    expect((await t.inject({ method: 'POST', url: '/healthz' })).headers.allow).toBe('GET');
  });
  test('a malformed URL is 400', async () => {
    expect(await readRefusal({ url: '/api/users/%zz' })).toEqual({ status: 400, code: 'invalid_request' });
  });
  test('X-HTTP-Method-Override is ignored', async () => {
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

test('reads, writes and anonymous requests are limited separately, with Retry-After', async () => {
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

test('a request is one log line with the route pattern and no request data', async () => {
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

test('a client that disconnects while sending is not logged as an error', async () => {
  const ownApp = await testApp();
  const { http } = ownApp.app;
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
  );
  const [incoming] = await once(http.server, 'request');
  socket.destroy();
  await new Promise((gone) => incoming.once('close', gone));
  await ownApp.close();
  expect(ownApp.lines.join('')).not.toMatch(/"level":"(warn|error)"/);
});

test('invalid HTTP gets a response or a closed connection, and the server keeps running', async () => {
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.http.server.address() as { port: number };
  const send = (bytes: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
      let response = '';
      socket.on('data', (chunk) => {
        response += chunk;
      });
      socket.on('error', () => resolve(response));
      socket.on('close', () => resolve(response));
    });
  const unreadable = await send('NONSENSE\r\n\r\n');
  expect(unreadable).toMatch(/^HTTP\/1.1 400/);
  expect(unreadable).toContain('x-content-type-options: nosniff');
  expect(unreadable).toMatch(/\{"message":"The request cannot be read","code":"invalid_request"\}$/);
  const headersTooLarge = await send(
    `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-much: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  expect(headersTooLarge).toMatch(/^HTTP\/1.1 431 /);
  expect(headersTooLarge).toMatch(/\{"message":"The request's headers are too large","code":"too_large"\}$/);
  expect(await send('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 421/);
  await send(
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"',
  );
  expect(t.app.http.server.headersTimeout).toBe(10_000);
  expect((await t.inject({ url: '/healthz' })).json()).toEqual({ status: 'ok' });
});
