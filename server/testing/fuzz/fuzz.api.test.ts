import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactActivities, notifications } from '#server/kit/db/schema.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { type Attacked, attack, type World } from './attack.ts';
import { KNOWN_BYTES, rawBytes, sendRaw } from './raw-bytes.ts';
import { CALLERS, type Caller, type Reference, requests } from './requests.ts';

// The short form, the same every time; `npm run prove -- fuzz` sends twenty thousand and others each time.
const SEED = 20_261_115;
const REQUESTS = 400;
const RAW = 100;

let t: TestApp;
let world: World;
let port: number;
beforeAll(async () => {
  // Alone: what these requests delete and change is nobody else's.
  t = await testApp({ ownDatabase: true });
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  port = (t.app.http.server.address() as { port: number }).port;
  world = await createWorld(t, `http://127.0.0.1:${port}`);
});
afterAll(() => t.close());

async function createWorld(app: TestApp, url: string): Promise<World> {
  const people = new Map<Caller, TestUser>();
  const renew = async (caller: Caller) => {
    if (caller === 'user' || caller === 'manager' || caller === 'admin') people.set(caller, await app.user(caller));
  };
  for (const caller of CALLERS) await renew(caller);
  const known: Record<Reference, (string | number)[]> = {
    lead: [],
    uuid: [],
    business: [],
    place: [],
    activity: [],
    user: [],
    notification: [],
  };
  const holder = people.get('user') as TestUser;
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
    known.lead.push(lead.id);
    known.uuid.push(lead.uuid);
    known.business.push(lead.businessId);
    known.place.push(lead.business.placeId);
    known.activity.push(activity?.id ?? 0);
    known.notification.push(notification?.id ?? 0);
    known.user.push((await app.user()).id);
  }
  const madeUp = `hs_session=${randomBytes(32).toString('base64url')}`;
  return {
    url,
    cookieOf: (caller) => (caller === 'nobody' ? '' : (people.get(caller)?.cookie ?? madeUp)),
    referenceOf: (kind, nth) => String(known[kind][nth]),
    renew,
  };
}

test(`${REQUESTS} requests made from the contract's own schemas, or nearly: no 5xx, no hang, no unknown refusal`, async () => {
  const given = fc.sample(requests, { seed: SEED, numRuns: REQUESTS });
  const { sent, statuses, found }: Attacked = await attack(world, given);
  expect(found).toEqual([]);
  expect(sent).toBe(REQUESTS);
  // Enough of them got through for this to mean something.
  expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(REQUESTS / 10);
});

test('bytes that are no HTTP, or HTTP meant to deceive: refused or ended, and nothing hidden in them is answered', async () => {
  const given = [...KNOWN_BYTES, ...fc.sample(rawBytes, { seed: SEED, numRuns: RAW })];
  const complaints = await Promise.all(
    given.map(async (raw) => {
      const why = await sendRaw(port, raw);
      return why && `${why}: ${JSON.stringify(raw.bytes.toString('latin1').slice(0, 200))}`;
    }),
  );
  expect(complaints.filter(Boolean)).toEqual([]);
  expect((await t.inject({ url: '/healthz' })).statusCode).toBe(200);
});
