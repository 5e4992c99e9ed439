import { afterAll, beforeAll, expect, test } from 'vitest';
import { getFirstSteps } from '#contract/first-steps/first-steps.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
});
afterAll(() => t.close());

test('each step is done once its traces are there', async () => {
  const admin = await t.user('admin');
  const read = async () => (await t.request(admin, getFirstSteps)).body.done;
  const nothing = { places: false, people: false, search: false, assign: false, today: false };
  expect(await read()).toEqual(nothing);

  await t.user('user', { active: false });
  const holder = await t.user();
  expect((await read()).people).toBe(false);
  await t.user('manager');
  expect(await read()).toEqual({ ...nothing, people: true });

  await t.db.insert(businesses).values({ placeId: 'imported 1', name: 'Old Mill', imported: true });
  expect((await read()).search).toBe(false);
  await t.db.insert(businesses).values({ placeId: 'found 1', name: 'New Mill' });
  expect(await read()).toEqual({ ...nothing, people: true, places: true, search: true });

  await t.lead(holder);
  expect((await read()).assign).toBe(true);
  await t.request(admin, changeTeamSettings, { body: { firstSteps: { today: true, dismissed: false } } });
  expect(Object.values(await read())).toEqual(Array(5).fill(true));
});

test('real places, or a provider of them, need no sample', async () => {
  const other = await testApp({ env: { PLACES_PROVIDER: 'osm' }, database: t.database });
  expect((await other.request(await other.user('admin'), getFirstSteps)).body.done.places).toBe(true);
  await other.close();
});
