import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listUsers } from '#contract/users/users.calls.ts';
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
const post = (headers: Record<string, string>, payload: string | Buffer = '{}', url = '/api/users') =>
  readRefusal({ method: 'POST', url, headers, payload });

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
  test('a body without a content type or with a content encoding is refused', async () => {
    const { 'content-type': _, ...untyped } = asAdmin();
    expect(await post({ ...untyped, 'content-length': '2' })).toEqual({ status: 415, code: 'unsupported_media_type' });
    expect(await post({ ...asAdmin(), 'content-encoding': 'gzip' })).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    });
  });
  test('charset=utf-8 is accepted', async () => {
    const response = await post({ ...asAdmin(), 'content-type': 'application/json; charset=UTF-8' });
    expect(response).toEqual({ status: 400, code: 'validation_failed' });
  });
  test('a body of more than 256 KiB is refused', async () => {
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

describe('bodies of calls without a body', () => {
  const unlock = (payload: string | Buffer, headers = asAdmin(), id: number | string = user.id) =>
    post(headers, payload, `/api/users/${id}/unlock`);
  test.each(['{', '{"a": 1,}', 'nonsense', Buffer.from([0x22, 0xff, 0xfe, 0x22])])(
    '%j is not JSON, and nothing changes',
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
      const send = { method: 'DELETE', headers: { ...json, cookie: victim.cookie }, payload } as const;
      expect(await readRefusal({ ...send, url: `/api/business/${lead.id}/delete` })).toEqual({
        status: 400,
        code: 'invalid_json',
      });
      expect((await t.inject({ url: `/api/business-profile/${lead.id}`, headers: send.headers })).statusCode).toBe(200);
      const stranger = { ...send, headers: { ...json, cookie: user.cookie } };
      for (const [method, path] of [
        ['DELETE', 'delete'],
        ['POST', 'archive'],
      ] as const) {
        const url = `/api/business/${lead.id}/${path}`;
        expect(await readRefusal({ ...stranger, method, url })).toEqual({ status: 403, code: 'not_your_lead' });
      }
      const loggedOut = await t.inject({ method: 'POST', url: '/api/logout', headers: send.headers, payload });
      expect(loggedOut.statusCode).toBe(200);
      expect((await t.inject({ url: '/api/user', headers: send.headers })).statusCode).toBe(401);
    },
  );
  test('malformed JSON is refused after session, cross-site, role, media type, size, path and existence', async () => {
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
