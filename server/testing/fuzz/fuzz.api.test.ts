import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactActivities } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { FIXED_BYTES, rawBytes, sendRaw } from './raw-bytes.ts';
import { CALLERS, type Caller, type Reference, requests } from './requests.ts';
import { type FuzzResult, type FuzzTarget, runRequests } from './run-requests.ts';

// A short run with a fixed seed; `npm run prove -- fuzz` sends twenty thousand with a random one.
const SEED = 20_261_115;
const REQUESTS = 400;
const RAW = 100;

let t: TestApp;
let target: FuzzTarget;
let port: number;
beforeAll(async () => {
  // Its own database, because these requests change and delete anything.
  t = await testApp({ ownDatabase: true });
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  port = (t.app.http.server.address() as { port: number }).port;
  target = await createTarget(t, `http://127.0.0.1:${port}`);
});
afterAll(() => t.close());

async function createTarget(app: TestApp, url: string): Promise<FuzzTarget> {
  const users = new Map<Caller, TestUser>();
  const replaceUser = async (caller: Caller) => {
    if (caller === 'user' || caller === 'manager' || caller === 'admin') users.set(caller, await app.user(caller));
  };
  for (const caller of CALLERS) await replaceUser(caller);
  const references: Record<Reference, (string | number)[]> = {
    lead: [],
    uuid: [],
    business: [],
    place: [],
    activity: [],
    user: [],
    notification: [],
  };
  const holder = users.get('user') as TestUser;
  for (let nth = 0; nth < 10; nth += 1) {
    const lead = await app.lead(nth % 2 ? holder : await app.user());
    const [activity] = await app.db
      .insert(contactActivities)
      .values({ userBusinessId: lead.id, type: 'call', description: 'Rang' })
      .returning();
    const [notification] = await app.db
      .insert(notifications)
      .values({ userId: holder.id, type: 'lead_assigned', title: 'x', message: 'x' })
      .returning();
    references.lead.push(lead.id);
    references.uuid.push(lead.uuid);
    references.business.push(lead.businessId);
    references.place.push(lead.business.placeId);
    references.activity.push(activity?.id ?? 0);
    references.notification.push(notification?.id ?? 0);
    references.user.push((await app.user()).id);
  }
  const invalidCookie = `hs_session=${randomBytes(32).toString('base64url')}`;
  return {
    url,
    getCookie: (caller) => (caller === 'anonymous' ? '' : (users.get(caller)?.cookie ?? invalidCookie)),
    resolveReference: (kind, nth) => String(references[kind][nth]),
    replaceUser,
  };
}

test(`${REQUESTS} requests generated from the contract's schemas get no 5xx, no hang and no unknown refusal`, async () => {
  const sample = fc.sample(requests, { seed: SEED, numRuns: REQUESTS });
  const { sent, statuses, failures }: FuzzResult = await runRequests(target, sample);
  expect(failures).toEqual([]);
  expect(sent).toBe(REQUESTS);
  // Enough requests must succeed for the test to be meaningful.
  expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(REQUESTS / 10);
});

test('invalid HTTP and request smuggling are refused or closed, and no hidden request gets a response', async () => {
  const sample = [...FIXED_BYTES, ...fc.sample(rawBytes, { seed: SEED, numRuns: RAW })];
  const failures = await Promise.all(
    sample.map(async (raw) => {
      const reason = await sendRaw(port, raw);
      return reason && `${reason}: ${JSON.stringify(raw.bytes.toString('latin1').slice(0, 200))}`;
    }),
  );
  expect(failures.filter(Boolean)).toEqual([]);
  expect((await t.inject({ url: '/healthz' })).statusCode).toBe(200);
});
