import { connect } from 'node:net';
import { sql } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getLead } from '#contract/leads/leads.calls.ts';
import { EVENTS_PATH } from '#contract/notifications/events.ts';
import { mailOutbox } from './kit/db/kit-tables.ts';
import { registerProductMetrics } from './metrics.ts';
import { placesUsage } from './schema/places.ts';
import { testDatabase } from './testing/databases.ts';
import { runOwnJob } from './testing/jobs.ts';
import { type TestApp, type TestUser, testApp } from './testing/test-app.ts';

const TOKEN = 'metrics-token-of-the-test';

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  t = await testApp({ now: '2031-05-06T10:00:00Z', env: { PLACES_MONTHLY_REQUEST_CAP: '900' } });
  user = await t.user();
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => t.close());

/** Every sample by its name and labels. */
async function read(app = t, options: Partial<InjectOptions> = {}): Promise<Map<string, number>> {
  const { body } = await app.inject({ url: '/metrics', ...options });
  return parseSamples(body);
}
const parseSamples = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
const readStatus = async (app: TestApp, options: Partial<InjectOptions>) =>
  (await app.inject({ url: '/metrics', ...options })).statusCode;
const requestCount = (method: string, route: string, status: string | number) =>
  `highstreet_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

test('without a token only this machine may read the metrics', async () => {
  const response = await t.inject({ url: '/metrics' });
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const remote = await t.inject({ url: '/metrics', remoteAddress: '10.0.0.5' });
  expect(remote.statusCode).toBe(404);
  expect(remote.json()).toEqual({ code: 'not_found', message: 'There is nothing at this address' });
  expect(await readStatus(t, { headers: { 'x-forwarded-for': '10.0.0.5' } })).toBe(404);
  expect(await readStatus(t, { headers: { host: 'evil.example' } })).toBe(404);
});

test('with a token, requests that send it may read from any IP; wrong tokens are rate limited', async () => {
  const guarded = await testApp({
    env: { METRICS_TOKEN: TOKEN, APP_URL: 'https://leads.example', RATE_LIMIT_FACTOR: '0.05' },
  });
  const from = { remoteAddress: '10.0.0.5', headers: { host: 'highstreet:3000', authorization: `Bearer ${TOKEN}` } };
  expect(await readStatus(guarded, from)).toBe(200);
  const wrongToken = { ...from, headers: { authorization: 'Bearer guess' } };
  const responses = [];
  for (let n = 0; n < 7; n += 1) responses.push(await readStatus(guarded, wrongToken));
  expect(responses).toEqual([404, 404, 404, 404, 404, 404, 429]);
  expect(await readStatus(guarded, {})).toBe(404);
  expect(await readStatus(guarded, from)).toBe(200);
  expect(guarded.lines.join('')).not.toContain(TOKEN);
  await guarded.close();
});

test('requests are counted by route pattern and status, and no sample contains request data', async () => {
  const { id } = await t.lead(user);
  const before = await read();
  await t.request(user, getLead.byId, { params: { id } });
  await t.request(user, getLead.byId, { params: { id } });
  await t.request(null, getLead.byId, { params: { id } });
  await t.inject({ url: '/api/auth/verify-reset-token/token-not-to-be-shown?query=neither-this' });
  await t.inject({ url: '/api/no-such-address' });
  await t.inject({ url: '/api/users', headers: { host: 'evil.example' } });

  const { body } = await t.inject({ url: '/metrics' });
  const after = parseSamples(body);
  const grown = (line: string) => (after.get(line) ?? 0) - (before.get(line) ?? 0);
  expect(grown(requestCount('GET', getLead.byId.path, 200))).toBe(2);
  expect(grown(requestCount('GET', getLead.byId.path, 401))).toBe(1);
  expect(grown(requestCount('GET', '/api/auth/verify-reset-token/:token', 400))).toBe(1);
  expect(grown(requestCount('GET', 'none', 404))).toBe(1);
  expect(grown(requestCount('GET', '/api/users', 421))).toBe(1);
  expect(after.get('highstreet_http_requests_in_flight')).toBe(1); // the scrape itself
  expect(body).not.toMatch(/not-to-be-shown|neither-this|no-such-address|evil|localhost/);
  expect(body).not.toContain(user.username);
});

test('a client that disconnects is counted as aborted, and is no longer in flight', async () => {
  const { port } = t.app.http.server.address() as { port: number };
  const aborted = requestCount('POST', '/api/login', 'aborted');
  const before = (await read()).get(aborted) ?? 0;
  const caller = connect(port, '127.0.0.1');
  caller.write(
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  await expect.poll(async () => (await read()).get('highstreet_http_requests_in_flight')).toBe(2);
  caller.destroy();
  await expect.poll(async () => (await read()).get(aborted)).toBe(before + 1);
  expect((await read()).get('highstreet_http_requests_in_flight')).toBe(1);
});

test('an open event stream is not counted as a request', async () => {
  const { port } = t.app.http.server.address() as { port: number };
  const abort = new AbortController();
  const stream = await fetch(`http://127.0.0.1:${port}${EVENTS_PATH}`, {
    headers: { cookie: user.cookie },
    signal: abort.signal,
  });
  expect(stream.status).toBe(200);
  const meanwhile = await read();
  expect(meanwhile.get('highstreet_event_streams_open')).toBe(1);
  expect(meanwhile.get('highstreet_http_requests_in_flight')).toBe(1);
  expect(meanwhile.get('highstreet_live_listening')).toBe(1);
  abort.abort();
  await expect.poll(async () => (await read()).get('highstreet_event_streams_open')).toBe(0);
  expect([...(await read()).keys()].filter((line) => line.includes(EVENTS_PATH))).toEqual([]);
});

test('the database metrics: sessions, mails and the oldest, paid calls of the month and their cap', async () => {
  await t.db.insert(mailOutbox).values({
    kind: 'test',
    createdAt: new Date(Date.now() - 600_000).toISOString(),
    nextAttemptAt: '2100-01-01T00:00:00Z',
    expiresAt: '2100-01-01T00:00:00Z',
  });
  await t.db.insert(placesUsage).values({ month: '2031-05', calls: 12 });
  const fresh = await testApp({ now: '2031-05-06T10:00:00Z' }); // a new app, because counts are cached for 5 seconds
  const lines = await read(fresh);
  expect(lines.get('highstreet_database_up')).toBe(1);
  expect(lines.get('highstreet_sessions')).toBeGreaterThanOrEqual(1);
  expect(lines.get('highstreet_mail_outbox_messages')).toBeGreaterThanOrEqual(1);
  expect(lines.get('highstreet_mail_outbox_oldest_seconds')).toBeGreaterThan(590);
  expect(lines.get('highstreet_places_paid_calls')).toBe(12);
  expect(lines.get('highstreet_places_paid_calls_cap')).toBe(900);
  expect(lines.get('highstreet_import_running')).toBe(0);
  expect(lines.get('highstreet_database_pool_connections')).toBeGreaterThanOrEqual(1);
  expect(lines.get('highstreet_database_pool_waiting')).toBe(0);
  expect(lines.get('highstreet_database_transaction_retries_total')).toBeGreaterThanOrEqual(0);
  expect([...lines.keys()].find((line) => line.startsWith('highstreet_info'))).toContain('database="built-in"');
  expect(lines.get('highstreet_data_dir_free_bytes')).toBeGreaterThan(0);
  expect(lines.get('highstreet_database_size_bytes')).toBeGreaterThan(1_000_000);
  await t.db.delete(mailOutbox);
  await fresh.close();
});

test('deleted rows are counted by table', async () => {
  await runOwnJob(t, 'housekeeping'); // what other tests left
  const line = 'highstreet_housekeeping_deleted_rows_total{table="morning_emails"}';
  const before = (await read()).get(line) ?? Number.NaN;
  await t.db.execute(
    sql`insert into morning_emails (day, created_at) values ('2019-01-01', now() - interval '31 days')`,
  );
  await runOwnJob(t, 'housekeeping');
  expect((await read()).get(line)).toBe(before + 1);
  expect((await read()).get('highstreet_housekeeping_failures_total')).toBe(0);
});

test('when the database is down, database_up is 0 and its other samples are left out', async () => {
  const { retries } = await testDatabase();
  const pool = { query: () => Promise.reject(new Error('gone')), totalCount: 0, idleCount: 0, waitingCount: 3 };
  const registry = new Registry();
  registerProductMetrics(registry, {
    database: { pool, retries } as never,
    env: t.env,
    clock: () => new Date(),
    liveEvents: { isListening: () => false } as never,
    openStreams: () => 0,
    remindersSent: () => 0,
    housekeeping: { deleted: () => ({}), failures: () => 0 },
    runningImports: { isRunning: () => false },
    webhookAttempts: () => ({}),
    problems: async () => [],
  });
  const lines = parseSamples(await registry.metrics());
  expect(lines.get('highstreet_database_up')).toBe(0);
  expect(lines.get('highstreet_live_listening')).toBe(0);
  expect(lines.get('highstreet_database_pool_waiting')).toBe(3);
  expect([...lines.keys()]).not.toContain('highstreet_sessions');
  expect([...lines.keys()]).not.toContain('highstreet_mail_outbox_messages');
});
