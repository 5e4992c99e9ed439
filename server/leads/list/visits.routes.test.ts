import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import { listVisits } from '#contract/leads/visits.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const LEEDS = { latitude: 53.7997, longitude: -1.5492 };
const east = (degrees: number) => ({ latitude: LEEDS.latitude, longitude: LEEDS.longitude + degrees });
type Query = NonNullable<Input<typeof listVisits>['query']>;

const visit = (viewer: TestUser, query: Query = LEEDS) => t.request(viewer, listVisits, { query });
const names = async (viewer: TestUser, query?: Query) =>
  (await visit(viewer, query)).body.stops.map(({ name }) => name);

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
  const { status, body } = await visit(holder);
  expect(status).toBe(200);
  expect(body.start).toEqual({ ...LEEDS, name: null, notice: null });
  expect(body.stops.map(({ name }) => name)).toEqual(['Near', 'Middle', 'Far']);
  expect(body.stops[0]).toMatchObject({ phone: '0113 496 0000', phoneIsWrong: false, status: 'recontact' });
  expect(body.stops[1]).toMatchObject({ address: '1 High Street, Leeds', phone: null });
  expect(body.unplaced).toEqual({ count: 1, leads: [expect.objectContaining({ name: 'Unplaced' })] });
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
  expect((await visit(other)).body.unplaced).toEqual({ count: 0, leads: [] });
  expect((await visit(other, { ...LEEDS, team: true })).status).toBe(403);
  expect(await names(manager, { ...LEEDS, user: holder.id })).toEqual([]);
  expect(await names(manager, { ...LEEDS, user: holder.id, team: true })).toEqual(['Near', 'Middle', 'Far']);
});

test.each([
  ['LS1', 'LS1', null],
  ['near ls1', 'LS1', null],
  ['ls1 9zz', 'LS1', 'The postcode itself could not be looked up: the trip starts in the middle of its district, LS1.'],
  ['York', 'York', null],
])('a trip starts at %s without a request to a provider', async (near, name, notice) => {
  const { body } = await visit(await t.user(), { near });
  expect(body.start).toMatchObject({ name, notice });
  expect(Math.abs(body.start.latitude - 53.87)).toBeLessThan(0.2);
});

test.each<[string, Query, string]>([
  ['no start', {}, 'validation_failed'],
  ['half a position', { latitude: 53 }, 'validation_failed'],
  ['a latitude of 91', { latitude: 91, longitude: 0 }, 'validation_failed'],
  ['26 stops', { ...LEEDS, count: 26 }, 'validation_failed'],
  ['an unknown place', { near: 'Atlantis' }, 'invalid_request'],
])('%s is refused', async (_, query, code) => {
  const { status, body } = await visit(await t.user(), query);
  expect([status, body.code]).toEqual([400, code]);
});
