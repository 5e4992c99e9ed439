import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import { planTrip } from '#contract/leads/trip/trip.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const LEEDS = { latitude: 53.7997, longitude: -1.5492 };
const east = (degrees: number) => ({ latitude: LEEDS.latitude, longitude: LEEDS.longitude + degrees });
type Query = NonNullable<Input<typeof planTrip>['query']>;

const plan = (viewer: TestUser, query: Query = LEEDS) => t.request(viewer, planTrip, { query });
const names = async (viewer: TestUser, query?: Query) => (await plan(viewer, query)).body.stops.map(({ name }) => name);

async function holderWithLeads() {
  const holder = await t.user();
  await t.lead(holder, {}, { name: 'Far', ...east(1) });
  await t.lead(holder, { status: 'recontact' }, { name: 'Near', ...east(0.01), phone: '0113 496 0000' });
  await t.lead(holder, {}, { name: 'Middle', ...east(-0.1), formattedAddress: '1 High Street, Leeds' });
  await t.lead(holder, { status: 'closed_won' }, { name: 'Won', ...east(0) });
  await t.lead(holder, { archived: true }, { name: 'Archived', ...east(0) });
  await t.lead(holder, {}, { name: 'Unplaced' });
  return holder;
}

test('the open leads with a position are returned, the nearest first', async () => {
  const holder = await holderWithLeads();
  const { status, body } = await plan(holder);
  expect(status).toBe(200);
  expect(body.start).toEqual({ ...LEEDS, name: null, notice: null });
  expect(body.stops.map(({ name }) => name)).toEqual(['Near', 'Middle', 'Far']);
  expect(body.stops[0]).toMatchObject({ phone: '0113 496 0000', phoneIsWrong: false, status: 'recontact' });
  expect(body.stops[1]).toMatchObject({ address: '1 High Street, Leeds', phone: null });
  expect(body.stops[0]?.reason).toEqual({ kind: 'near', miles: expect.closeTo(0.41, 2) });
  expect(body.unplaced).toEqual({ count: 1, leads: [expect.objectContaining({ name: 'Unplaced' })] });
});

describe('what is due', () => {
  // Local time is that of UTC in winter.
  const NOW = '2026-11-19T10:00:00.000Z';
  const OVERDUE = '2026-11-12T10:00:00.000Z';
  const TODAY = '2026-11-19T16:00:00.000Z';
  let winter: TestApp;
  beforeAll(async () => {
    winter = await testApp({ now: NOW });
  });
  afterAll(() => winter.close());

  /** A degree of longitude is 41 miles here. */
  async function holderWithDueLeads() {
    const holder = await t.user();
    const planned = (nextStepAt: string) => ({ nextStepAt, nextStepType: 'call' as const });
    await t.lead(holder, {}, { name: 'Next door', ...east(0.001) });
    await t.lead(holder, planned('2026-11-20T09:00:00.000Z'), { name: 'Due tomorrow', ...east(0.01) });
    await t.lead(holder, planned(TODAY), { name: 'Due today', ...east(0.2) });
    await t.lead(holder, planned(OVERDUE), { name: 'Overdue', ...east(-0.22) });
    await t.lead(holder, planned(OVERDUE), { name: 'Overdue, far away', ...east(0.5) });
    await t.lead(holder, { ...planned(OVERDUE), status: 'closed_lost' }, { name: 'Closed', ...east(0) });
    return holder;
  }

  const planned = async (holder: TestUser, query: Query) =>
    (await winter.request(holder, planTrip, { query: { ...LEEDS, ...query } })).body.stops;

  test.each<[Query, string[]]>([
    [{}, ['Overdue', 'Due today', 'Next door', 'Due tomorrow', 'Overdue, far away']],
    [{ count: 3 }, ['Overdue', 'Due today', 'Next door']],
    [{ count: 1 }, ['Overdue']],
    [{ dueWithin: 8 }, ['Next door', 'Due tomorrow', 'Due today', 'Overdue', 'Overdue, far away']],
    [{ dueWithin: 50, count: 2 }, ['Overdue', 'Overdue, far away']],
    [{ dueWithin: 0 }, ['Next door', 'Due tomorrow', 'Due today', 'Overdue', 'Overdue, far away']],
  ])('comes first where it is near enough, the earliest before (%o)', async (query, names) => {
    const holder = await holderWithDueLeads();
    expect((await planned(holder, query)).map(({ name }) => name)).toEqual(names);
  });

  test('is the reason of a stop, however far it is', async () => {
    const stops = await planned(await holderWithDueLeads(), { dueWithin: 0 });
    expect(Object.fromEntries(stops.map(({ name, reason }) => [name, reason]))).toEqual({
      'Next door': { kind: 'near', miles: expect.closeTo(0.04, 2) },
      'Due tomorrow': { kind: 'near', miles: expect.closeTo(0.41, 2) },
      'Due today': { kind: 'due', at: TODAY },
      Overdue: { kind: 'due', at: OVERDUE },
      'Overdue, far away': { kind: 'due', at: OVERDUE },
    });
  });
});

test('the filter of the list applies, but closed and archived leads are never visited', async () => {
  const holder = await holderWithLeads();
  expect(await names(holder, { ...LEEDS, status: 'recontact' })).toEqual(['Near']);
  expect(await names(holder, { ...LEEDS, q: 'a' })).toEqual(['Near', 'Far']);
  expect(await names(holder, { ...LEEDS, hideClosed: false, archived: true })).toEqual(['Near', 'Middle', 'Far']);
  expect(await names(holder, { ...LEEDS, count: 2 })).toEqual(['Near', 'Middle']);
});

test('east and west are as long as they are at this latitude', async () => {
  const holder = await t.user();
  await t.lead(holder, {}, { name: 'North', latitude: LEEDS.latitude + 0.07, longitude: LEEDS.longitude });
  await t.lead(holder, {}, { name: 'East', ...east(0.1) }); // 6.6 km; the other is 7.8 km away
  expect(await names(holder)).toEqual(['East', 'North']);
});

test('a user gets only their own leads, and the list of the team is for managers', async () => {
  const holder = await holderWithLeads();
  const other = await t.user();
  const manager = await t.user('manager');
  expect(await names(other, { ...LEEDS, user: holder.id })).toEqual([]);
  expect((await plan(other)).body.unplaced).toEqual({ count: 0, leads: [] });
  expect((await plan(other, { ...LEEDS, team: true })).status).toBe(403);
  expect(await names(manager, { ...LEEDS, user: holder.id })).toEqual([]);
  expect(await names(manager, { ...LEEDS, user: holder.id, team: true })).toEqual(['Near', 'Middle', 'Far']);
});

test.each([
  ['LS1', 'LS1', null],
  ['near ls1', 'LS1', null],
  ['ls1 9zz', 'LS1', 'The postcode itself could not be looked up: the trip starts in the middle of its district, LS1.'],
  ['York', 'York', null],
])('a trip starts at %s without a request to a provider', async (near, name, notice) => {
  const { body } = await plan(await t.user(), { near });
  expect(body.start).toMatchObject({ name, notice });
  expect(Math.abs(body.start.latitude - 53.87)).toBeLessThan(0.2);
});

test.each<[string, Query, string]>([
  ['no start', {}, 'validation_failed'],
  ['half a position', { latitude: 53 }, 'validation_failed'],
  ['a latitude of 91', { latitude: 91, longitude: 0 }, 'validation_failed'],
  ['26 stops', { ...LEEDS, count: 26 }, 'validation_failed'],
  ['no stops', { ...LEEDS, count: 0 }, 'validation_failed'],
  ['51 miles', { ...LEEDS, dueWithin: 51 }, 'validation_failed'],
  ['an unknown place', { near: 'Atlantis' }, 'invalid_request'],
])('%s is refused', async (_, query, code) => {
  const { status, body } = await plan(await t.user(), query);
  expect([status, body.code]).toEqual([400, code]);
});
