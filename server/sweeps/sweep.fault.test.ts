import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { register } from '#contract/auth/auth.calls.ts';
import { type AnyCall, buildPath, type Input, type ResponseBody } from '#contract/call.ts';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import { kill, openDatabase, startServer, stop } from '#server/testing/child-server.ts';
import { scratchFolder } from '#server/testing/databases.ts';
import { fakeGoogle } from '#server/testing/fake-providers/google.ts';
import { fakeOpenServices } from '#server/testing/fake-providers/osm.ts';

const DISTRICTS = 29;
const PAGES = 3;
const KILLS = 3;

const ada = { username: 'ada', password: 'long enough', email: 'ada@example.test', fullName: 'Ada Admin' };

/** Calls the server that is running now, and keeps its cookie. */
function createClient(readUrl: () => string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  return async <C extends AnyCall>(call: C, input: Input<C> = {}): Promise<ResponseBody<C>> => {
    const init = {
      method: call.method,
      headers,
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    };
    const response = await fetch(readUrl() + buildPath(call, input), init);
    const [cookie] = response.headers.getSetCookie();
    if (cookie) headers.cookie = cookie.split(';')[0] ?? '';
    return response.json() as Promise<ResponseBody<C>>;
  };
}

test('a sweep that is killed again and again goes on by itself, pays for each call once, loses nothing and assigns nothing twice', async () => {
  const fake = await fakeGoogle();
  const dataDir = scratchFolder('killed-sweep');
  const variables = { PLACES_PROVIDER: 'google', GOOGLE_MAPS_API_KEY: 'secret-key', GOOGLE_PLACES_URL: fake.url };
  let server = await startServer(dataDir, variables);
  const send = createClient(() => server.url);
  const { id: userId } = await send(register, { body: ada });

  const { id } = await send(calls.startSweep, { body: { businessType: 'Bakery', places: ['LS'] } });
  const params = { id };
  for (let nth = 1; nth <= KILLS; nth += 1) {
    // In the middle of a district, between two pages.
    await expect.poll(() => fake.requests.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(nth * 20);
    await kill(server.child);
    server = await startServer(dataDir, variables);
    const going = await send(calls.getSweep, { params });
    expect(going).toMatchObject({ state: 'running', message: null, districts: { total: DISTRICTS, failed: 0 } });
    expect(going.districts.done).toBeGreaterThan(0);
  }
  const readState = async () => (await send(calls.getSweep, { params })).state;
  await expect.poll(readState, { timeout: 120_000 }).toBe('done');
  const done = await send(calls.getSweep, { params });
  expect(done.districts).toEqual({ total: DISTRICTS, done: DISTRICTS, failed: 0 });

  // Only the call that was under way when the process was killed may have been made again.
  const requests = fake.requests.map(({ body }) => body);
  expect(new Set(requests).size).toBe(DISTRICTS * PAGES);
  expect(requests.length - new Set(requests).size).toBeLessThanOrEqual(KILLS);

  // Killed while it assigns, and repeated.
  const { counts } = await send(calls.listSweepResults, { params });
  const body = { batch: randomUUID(), assignment: { to: 'user' as const, userId } };
  void send(calls.assignSweepResults, { params, body }).catch(() => {});
  await kill(server.child);
  server = await startServer(dataDir, variables);
  expect(await send(calls.assignSweepResults, { params, body })).toEqual({ assigned: counts.new, left: 0 });
  await stop(server.child);
  await fake.close();

  const database = await openDatabase(dataDir);
  const { rows } = await database.db.execute(sql`select
    (select count(*)::int from user_businesses) as leads,
    (select count(distinct business_id)::int from user_businesses) as businesses,
    (select count(*)::int from assignment_history where initial) as history,
    (select cardinality(lead_ids) from notifications where type = 'lead_assigned') as notified,
    (select count(*)::int from sweep_responses) as responses,
    (select calls from places_usage) as paid`);
  await database.close();
  expect(rows).toEqual([
    {
      ...{ leads: counts.new, businesses: counts.new, history: counts.new, notified: counts.new, responses: 0 },
      paid: expect.any(Number),
    },
  ]);
  // A call is counted before it is made: one that a kill prevented is counted, too.
  expect(Number(rows[0]?.paid)).toBeGreaterThanOrEqual(requests.length);
  expect(Number(rows[0]?.paid)).toBeLessThanOrEqual(DISTRICTS * PAGES + KILLS);
}, 300_000); // generous: a busy machine is slow

test('a sweep on Overpass that is killed in the middle of a call goes on by itself, repeats that call alone, and loses nothing', async () => {
  const fake = await fakeOpenServices();
  const dataDir = scratchFolder('killed-open-sweep');
  const variables = { PLACES_PROVIDER: 'osm', OVERPASS_URL: `${fake.url}/api/interpreter`, NOMINATIM_URL: fake.url };
  let server = await startServer(dataDir, variables);
  const send = createClient(() => server.url);
  await send(register, { body: ada });
  fake.overrideResponses(() => (fake.requests.length === 2 ? { silent: true } : undefined));
  const { id } = await send(calls.startSweep, { body: { businessType: 'Bakery', places: ['LS1', 'LS2', 'LS3'] } });
  await expect.poll(() => fake.requests.length, { timeout: 60_000, interval: 5 }).toBe(2);
  await kill(server.child);
  server = await startServer(dataDir, variables);
  const params = { id };
  const readState = async () => (await send(calls.getSweep, { params })).state;
  await expect.poll(readState, { timeout: 60_000 }).toBe('done');
  expect(await send(calls.getSweep, { params })).toMatchObject({ calls: 4, results: 70, districts: { done: 3 } });
  expect((await send(calls.listSweepResults, { params })).counts.new).toBe(70);
  const requests = fake.requests.map(({ body }) => body);
  expect(requests).toEqual([requests[0], requests[1], requests[1], requests[3]]);
  expect(new Set(requests).size).toBe(3);
  await stop(server.child);
  await fake.close();
}, 180_000); // generous: a busy machine is slow
