import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

// Requests to other machines fail every story: see browser-errors.ts.

const PHONE = { width: 390, height: 844 };
const LEEDS = { latitude: 53.7997, longitude: -1.5492 };

test('a user plans a trip from a postcode on a phone and hands it over', async ({ page, accounts, expectedErrors }) => {
  await blockMapTiles(page, expectedErrors);
  await page.setViewportSize(PHONE);
  const holder = await accounts.create('user', 'Vera TripPlan');
  await assignLeads(accounts, holder, { count: 12 });
  await accounts.signIn(page, holder);
  await page.goto('/crm?view=map');
  await page.getByRole('button', { name: 'Plan a trip' }).click();
  const panel = page.getByRole('region', { name: 'Plan a trip' });
  await expect(panel.getByRole('heading', { name: 'Plan a trip' })).toBeFocused();
  await expectLargeTargets(page, 'the start of a trip');
  await panel.getByLabel('Or from a postcode or town').fill('LS1');
  await page.keyboard.press('Enter');

  await expect(panel.getByText(/^10 stops, [\d.]+ miles$/)).toBeVisible();
  const names = panel.getByRole('list').first().getByRole('heading', { level: 3 });
  const stops = panel.getByRole('button', { name: /^Drop / });
  await expect(stops).toHaveCount(10);
  await expect(page.getByRole('button', { name: /^Stop \d+: / })).toHaveCount(10);
  await expect(page.locator('path.trip-line')).toHaveCount(1);
  const google = panel.getByRole('link', { name: /^(Open in Google Maps|Part 1 of)/ }).first();
  await expect(google).toHaveAttribute('href', /^https:\/\/www\.google\.com\/maps\/dir\/\?api=1&origin=53\./);
  await expect(panel.getByRole('link', { name: 'Open in Apple Maps' })).toHaveAttribute(
    'href',
    /^https:\/\/maps\.apple\.com\/directions\?source=53\./,
  );
  await expectNoOverflow(page, 'the trip');
  await expectLargeTargets(page, 'the trip');
  await expectAccessible(page);

  // By keyboard: the last stop goes up one place, and the first is left out.
  const up = panel.getByRole('button', { name: /^Move .* up$/ }).last();
  const moved = (await up.getAttribute('aria-label')) ?? '';
  await up.press('Enter');
  await expect(panel.getByRole('button', { name: moved })).toBeFocused();
  await expect(panel.getByText(/is now stop 9 of 10$/)).toBeAttached();
  await stops.first().press('Enter');
  await expect(panel.getByText(/^9 stops, /)).toBeVisible();
  await expect(names).not.toHaveCount(0);

  // The trip stays as it is when a lead was opened, and after a reload.
  const order = new URL(page.url()).searchParams.get('order');
  await panel
    .getByRole('link', { name: /^Open lead/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/business\/uuid\//);
  await page.goBack();
  await expect(panel.getByText(/^9 stops, /)).toBeVisible();
  await page.reload();
  await expect(panel.getByText(/^9 stops, /)).toBeVisible();
  expect(new URL(page.url()).searchParams.get('order')).toBe(order);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectNoOverflow(page, 'the trip');
  await expectAccessible(page);
});

test.describe('where the browser shares its position', () => {
  test.use({ geolocation: LEEDS, permissions: ['geolocation'] });

  test('a trip starts there', async ({ page, accounts, expectedErrors }) => {
    await blockMapTiles(page, expectedErrors);
    const holder = await accounts.create();
    await assignLeads(accounts, holder, { count: 3 });
    await accounts.signIn(page, holder);
    await page.goto('/?view=map'); // may not ask for the position
    await page.getByRole('button', { name: 'Plan a trip' }).click();
    await page.getByRole('button', { name: 'Start from my position' }).click();
    const panel = page.getByRole('region', { name: 'Plan a trip' });
    await expect(panel.getByText('your position')).toBeVisible();
    await expect(panel.getByText(/^3 stops, /)).toBeVisible();
    await expect(page).toHaveURL(/trip=53\.7997%2C-1\.5492/);
  });
});

test('where it does not, a town starts the trip', async ({ page, context, accounts, expectedErrors }) => {
  await blockMapTiles(page, expectedErrors);
  await context.clearPermissions();
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: 3 });
  await accounts.signIn(page, holder);
  await page.goto('/crm?view=map&trip=choose');
  await page.getByRole('button', { name: 'Start from my position' }).click();
  await expect(page.getByRole('alert')).toContainText('postcode or town');
  await page.getByLabel('Or from a postcode or town').fill('Atlantis');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(page.getByText(/No place called "Atlantis" was found/)).toBeVisible();
  await page.getByLabel('Or from a postcode or town').fill('Leeds');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Plan a trip' });
  await expect(panel.getByText(/^3 stops, /)).toBeVisible();

  await panel.getByRole('button', { name: 'Change start' }).click();
  await page.getByLabel('Or from a postcode or town').fill('ls1 9zz');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(panel.getByText('the trip starts in the middle of its district, LS1.')).toBeVisible();
});
