import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#server/testing/databases.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

const ATTACKER = '192.0.2.66';
let t: TestApp;
let queries = 0;
const countQuery = () => {
  queries += 1;
};
const from = (ip: string, cookie: string, url = '/api/users-for-reassignment') =>
  t.inject({ url, headers: { cookie, 'x-forwarded-for': ip } });
const invented = () => `hs_session=${randomBytes(32).toString('base64url')}`;
const statuses = (responses: { statusCode: number }[], status: number) =>
  responses.filter(({ statusCode }) => statusCode === status).length;
beforeAll(async () => {
  // Six anonymous requests a minute for each IP.
  t = await testApp({ env: { RATE_LIMIT_FACTOR: '0.05', TRUST_PROXY: '1' } });
  (await testDatabase()).pool.on('acquire', countQuery);
});
afterAll(async () => {
  (await testDatabase()).pool.off('acquire', countQuery);
  await t.close();
});

test('invalid cookies are refused without a query once the limit is reached, public calls included', async () => {
  const valid = await t.user();
  expect((await from(ATTACKER, valid.cookie)).statusCode).toBe(200);
  queries = 0;

  const responses = await Promise.all(Array.from({ length: 30 }, () => from(ATTACKER, invented())));

  expect([statuses(responses, 401), statuses(responses, 429)]).toEqual([6, 24]);
  expect(queries).toBe(6);
  const refused = await from(ATTACKER, invented());
  expect(refused.json().code).toBe('rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await from(ATTACKER, invented(), '/api/today-contacts')).statusCode).toBe(429);
  expect((await from(ATTACKER, '', '/api/setup')).statusCode).toBe(429);
  expect(queries).toBe(6);

  // Valid sessions on the same IP still work; other IPs are not affected.
  for (let i = 0; i < 10; i++) expect((await from(ATTACKER, valid.cookie)).statusCode).toBe(200);
  expect((await from('192.0.2.67', (await t.user()).cookie)).statusCode).toBe(200);
});

test('an ended session is looked up once more, and is then unknown', async () => {
  const ip = '192.0.2.68';
  const user = await t.user();
  expect((await from(ip, user.cookie)).statusCode).toBe(200);
  await Promise.all(Array.from({ length: 7 }, () => from(ip, invented())));
  await t.inject({ method: 'POST', url: '/api/logout', headers: { cookie: user.cookie } });
  expect((await from(ip, user.cookie)).statusCode).toBe(401);
  expect((await from(ip, user.cookie)).statusCode).toBe(429);
});

test.each(['/api/users-for-reassignment', '/api/today-contacts'])(
  '%s: any number of valid sessions may share an IP',
  async (url) => {
    const users = [];
    for (let i = 0; i < 25; i++) users.push(await t.user());
    const responses = await Promise.all(users.map(({ cookie }) => from('192.0.2.69', cookie, url)));
    expect(statuses(responses, 200)).toBe(25);
    expect((await from('192.0.2.69', invented())).statusCode).toBe(401);
  },
);

test('an invalid cookie on a public call counts once', async () => {
  const responses = [];
  for (let i = 0; i < 8; i++) responses.push(await from('192.0.2.70', invented(), '/api/setup'));
  expect([statuses(responses, 200), statuses(responses, 429)]).toEqual([6, 2]);
});

test('a malformed cookie never costs a query, and counts too', async () => {
  queries = 0;
  const responses = [];
  for (const value of ['x', "' or 1=1", 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, '%00', 'x']) {
    responses.push(await from('192.0.2.71', `hs_session=${value}`));
  }
  expect([statuses(responses, 401), statuses(responses, 429)]).toEqual([6, 1]);
  expect(responses.every(({ headers }) => String(headers['set-cookie']).startsWith('hs_session=;'))).toBe(true);
  expect(queries).toBe(0);
});
