import type { Page } from '@playwright/test';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

const PHONE = { width: 390, height: 844 };
const LEEDS = { latitude: 53.7997, longitude: -1.5492 };
const HOUR_MS = 60 * 60_000;

test.use({ viewport: PHONE, hasTouch: true, geolocation: LEEDS, permissions: ['geolocation'] });

const current = (page: Page) => page.getByRole('region', { name: 'Current stop' });
const stops = (page: Page) => page.getByRole('region', { name: 'Stops' });
const currentName = (page: Page) => current(page).getByRole('heading', { level: 2 });
const readNames = (page: Page) => stops(page).getByRole('heading', { level: 3 }).allTextContents();

/** Plans a trip on the map from a postcode, by touch, and starts it. */
async function startTrip(page: Page) {
  await page.goto('/trip');
  await expect(page.getByRole('heading', { name: 'You are not on a trip' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Plan a trip' }).tap();
  const planner = page.getByRole('region', { name: 'Plan a trip' });
  await planner.getByLabel('Or from a postcode or town').fill('LS1');
  await planner.getByRole('button', { name: 'Go', exact: true }).tap();
  await planner.getByLabel('Stops').selectOption('5');
  await expect(planner.getByText(/^5 stops, /)).toBeVisible();
  return planner;
}

test('a trip of five stops is worked on a phone, over a reload', { tag: '@screen' }, async ({
  page,
  accounts,
  expectedErrors,
}) => {
  await blockMapTiles(page, expectedErrors);
  const holder = await accounts.create('user', 'Vera Visits');
  const leads = await assignLeads(accounts, holder, { count: 12 });
  const overdue = leads.at(-1) as (typeof leads)[0];
  const at = new Date(Date.now() - 3 * HOUR_MS).toISOString();
  await accounts.sendAsAdmin(planFollowUp.byId, { params: { id: overdue.id }, body: { at } });
  await accounts.signIn(page, holder);

  const planner = await startTrip(page);
  await expect(planner.getByText(/^Overdue since /)).toHaveCount(1);
  await expect(planner.getByRole('heading', { level: 3, name: overdue.business.name })).toBeVisible();
  await expect(planner.getByText(/ miles away$/)).toHaveCount(4);
  await expectLargeTargets(page, 'the plan of a trip');
  await planner.getByRole('button', { name: 'Start this trip' }).tap();

  await expect(page).toHaveURL('/trip');
  await expect(page.getByText('0 of 5 stops done')).toBeVisible();
  const names = await readNames(page);
  expect(names).toHaveLength(5);
  await expect(currentName(page)).toHaveText(names[0] ?? '');
  await expect(page.getByRole('button', { name: /^Stop \d: / })).toHaveCount(5);
  await expectNoOverflow(page, 'the trip');
  await expectLargeTargets(page, 'the trip');
  await expectAccessible(page);

  // The first stop: the way there, check in, what was said, the outcome.
  await expect(current(page).getByRole('link', { name: 'Directions' })).toHaveAttribute(
    'href',
    /^https:\/\/www\.google\.com\/maps\/dir\/\?api=1&destination=/,
  );
  await current(page).getByRole('button', { name: 'Check in' }).tap();
  await expect(current(page).getByRole('button', { name: /^Checked in \d\d:\d\d/ })).toBeVisible();
  await current(page).getByRole('textbox', { name: 'Note' }).fill('Likes the new range');
  await current(page)
    .getByRole('button', { name: /^Met the owner/ })
    .tap();
  await expectToast(page, 'Logged: Met the owner');
  await expect(currentName(page)).toHaveText(names[1] ?? '');
  await expect(currentName(page)).toBeFocused();
  await expect(page.getByText('1 of 5 stops done')).toBeVisible();
  await current(page).getByRole('button', { name: /^Shut/ }).tap();
  await expect(page.getByText('2 of 5 stops done')).toBeVisible();

  // A note that is being typed, the check-in and the place in the trip survive a reload.
  await expect(currentName(page)).toHaveText(names[2] ?? '');
  await current(page).getByRole('textbox', { name: 'Note' }).fill('Opens at noon');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('2 of 5 stops done')).toBeVisible();
  await expect(currentName(page)).toHaveText(names[2] ?? '');
  await expect(current(page).getByRole('textbox', { name: 'Note' })).toHaveValue('Opens at noon');
  await expect(stops(page).getByText(/^Arrived \d\d:\d\d/)).toHaveCount(1);
  expect(await readNames(page)).toEqual(names);

  // Today leads back to it.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).tap();
  await expect(page.getByRole('region', { name: 'Your trip' })).toContainText('Your trip: 2 of 5 stops done');
  await page.getByRole('link', { name: 'Go on' }).tap();

  // One stop is dropped, and taken back.
  await stops(page)
    .getByRole('button', { name: `Drop ${names[4]}` })
    .tap();
  await expect(page.getByText('2 of 4 stops done')).toBeVisible();
  await expectToast(page, `Dropped ${names[4]}`);
  await page.getByRole('button', { name: 'Undo' }).tap();
  await expect(page.getByText('2 of 5 stops done')).toBeVisible();

  for (const done of [3, 4, 5]) {
    await current(page)
      .getByRole('button', { name: /^Owner away/ })
      .tap();
    await expect(page.getByText(`${done} of 5 stops done`)).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'All 5 stops done' })).toBeVisible();
  await expectLargeTargets(page, 'a trip that is done');
  await page.getByRole('button', { name: 'End trip' }).tap();
  await expectToast(page, '5 of 5 stops done.');
  await expect(page.getByRole('heading', { name: 'You are not on a trip' })).toBeVisible();

  const first = leads.find(({ business }) => business.name === names[0]);
  const { userBusiness } = await accounts.sendAsAdmin(getLead.byId, { params: { id: first?.id ?? 0 } });
  expect(userBusiness.contactActivities).toMatchObject([
    { type: 'meeting', outcome: 'met_owner', description: 'Likes the new range' },
  ]);
  const third = leads.find(({ business }) => business.name === names[2]);
  const noted = await accounts.sendAsAdmin(getLead.byId, { params: { id: third?.id ?? 0 } });
  expect(noted.userBusiness.contactActivities).toMatchObject([{ description: 'Opens at noon' }]);
});

test('stops are added on the map, and all are ordered again from where the user is', async ({
  page,
  context,
  accounts,
  expectedErrors,
}) => {
  await blockMapTiles(page, expectedErrors);
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: 7 });
  await accounts.signIn(page, holder);
  const planner = await startTrip(page);
  await planner.getByRole('button', { name: 'Start this trip' }).tap();
  await expect(page.getByText('0 of 5 stops done')).toBeVisible();
  const names = await readNames(page);

  await page.getByRole('link', { name: 'Add stops on the map' }).tap();
  await expect(page.getByRole('link', { name: 'Your trip: 0 of 5 stops done' })).toBeVisible();
  const shown = page.getByRole('region', { name: 'Businesses on this page' });
  const onMap = await shown.getByRole('button').allTextContents();
  const other = onMap.map((text) => text.replace('Show on the map: ', '')).find((name) => !names.includes(name)) ?? '';
  await shown.getByRole('button', { name: `Show on the map: ${other}` }).tap();
  const popup = page.getByRole('region', { name: 'Business', exact: true });
  await popup.getByRole('button', { name: 'Add to trip' }).tap();
  await expect(popup.getByRole('button', { name: 'Drop from trip' })).toBeVisible();
  await expectLargeTargets(page, 'the map on a trip');
  await page.getByRole('link', { name: 'Your trip: 0 of 6 stops done' }).tap();
  await expect(stops(page).getByRole('heading', { level: 3 })).toHaveCount(6);
  expect((await readNames(page)).at(-1)).toBe(other);

  // From where the last stop is, it comes first. The page of the map may not ask for the position, that of a trip may.
  const last = await page.evaluate(async () => {
    const { trip } = await (await fetch('/api/trip')).json();
    return trip.stops.at(-1) as { latitude: number; longitude: number };
  });
  await context.setGeolocation({ latitude: last.latitude, longitude: last.longitude });
  await page.getByRole('button', { name: 'Order again from here' }).tap();
  await expectToast(page, 'Ordered again from your position');
  await expect(currentName(page)).toHaveText(other);
  await expect(page).toHaveURL('/trip');

  // A refusal has a sentence of its own.
  await context.clearPermissions();
  await page.reload();
  await page.getByRole('button', { name: 'Order again from here' }).tap();
  await expect(page.getByRole('alert')).toContainText('move the stops yourself');
});
