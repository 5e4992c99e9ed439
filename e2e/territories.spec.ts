import type { Page } from '@playwright/test';
import { changeTerritories } from '#contract/territories/territories.calls.ts';
import { expectAccessible } from './axe.ts';
import { createImportOf } from './imports.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount, runBulkAction } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

/** Fails every request to another server, and returns the list of them. */
async function blockOutside(page: Page, url: string): Promise<string[]> {
  const outside: string[] = [];
  await page.route(
    (requested) => requested.origin !== new URL(url).origin,
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  return outside;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const districts = (page: Page) => page.getByRole('textbox', { name: 'Districts' });

test('by keyboard, a territory is moved with its open leads', async ({ page, accounts, product }) => {
  const outside = await blockOutside(page, product.url);
  const grace = await accounts.create('user', 'Gwendolyn Gale');
  const marcus = await accounts.create('user', 'Murdo Mackay');
  const assigned = await assignLeads(accounts, grace, { count: 8 });
  // Some businesses of the sample have no postcode.
  const moving = assigned.filter(({ business }) => /\bLS\d/.test(business.formattedAddress ?? '')).length;
  await accounts.signIn(page, accounts.admin);
  await page.goto('/today');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('main').focus();
  const find = page.getByRole('combobox', { name: 'Find anything' });
  // The keys are listened for once the commands are loaded.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(find).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await find.fill('Territories');
  await page.getByRole('option', { name: 'Territories' }).waitFor();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/territories');

  await page.getByRole('button', { name: `Edit the territory of ${grace.fullName}` }).press('Enter');
  await expect(page).toHaveURL(`/territories?user=${grace.id}`);
  await districts(page).fill('LS, LN1-LN3, Lincoln');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Not a district, range or area: LINCOLN')).toBeVisible();
  await districts(page).fill('ls, ln1-3');
  await page.keyboard.press('Enter');
  await expect(row(page, grace.fullName)).toContainText('LN1–LN3, LS1–');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expectToast(page, 'Territories saved');
  await expectAccessible(page);

  await page.getByRole('button', { name: `Edit the territory of ${marcus.fullName}` }).press('Enter');
  await districts(page).fill('LS');
  await page.keyboard.press('Enter');
  await expect(row(page, grace.fullName)).toContainText('LN1–LN3');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  const move = page.getByRole('button', { name: `Move ${moving} open leads` });
  await expect(move).toBeVisible();
  await expectAccessible(page);
  await move.press('Enter');
  await expectToast(page, `${moving} leads moved to ${marcus.fullName}`);
  await page.keyboard.press('z');
  await expectToast(page, `${moving} taken back`);
  await page.goto(`/crm?user=${grace.id}`);
  await expectResultCount(page, assigned.length);

  // The map by its own keys: the first arrow reaches a district, Enter gives it.
  await page.goto(`/territories?user=${marcus.id}`);
  const map = page.getByRole('application', { name: /^Map of territories/ });
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(page.getByText('Not saved yet')).toBeHidden();
  expect(outside).toEqual([]);
});

test('by pointer, districts are chosen on the map', { tag: '@screen' }, async ({ page, accounts, product }) => {
  test.setTimeout(90_000);
  const outside = await blockOutside(page, product.url);
  const owner = await accounts.create('user', 'Tegen Trelawny');
  const fallback = await accounts.create('user', 'Faye Fallback');
  await accounts.sendAsAdmin(changeTerritories, {
    body: { changes: [{ userId: owner.id, add: ['TR'], remove: [] }] },
  });
  await accounts.signIn(page, accounts.admin);
  await page.goto(`/territories?user=${owner.id}`);
  const map = page.getByRole('application', { name: /^Map of territories/ });
  await expect(map.locator('canvas').first()).toBeVisible();
  await map.click();
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Territories saved');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Undone');
  await expect(row(page, owner.fullName)).toContainText('TR1–TR27');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page, '/territories');
  await expectLargeTargets(page, 'the territories');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto('/search');
  await page.getByLabel('Business Type').fill('Restaurant');
  await page.getByLabel('Location').fill('Truro');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('heading', { level: 2, name: /^Results \(\d+ found\)$/ })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select All' }).check();
  await page.getByRole('button', { name: 'Assign to User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign Businesses' });
  await dialog.getByRole('button', { name: /^Share out/ }).click();
  await dialog
    .getByLabel('Outside all territories')
    .selectOption({ label: `${fallback.fullName} (${fallback.username})` });
  const preview = dialog.getByText(/Tegen Trelawny \d+/);
  await expect(preview).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const shares = (await preview.textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  // Its preview is a status with the same words as the toast.
  await expect(dialog).toBeHidden();
  await expectToast(page, shares);
  const count = Number(/Tegen Trelawny (\d+)/.exec(shares)?.[1]);
  await page.goto(`/crm?user=${owner.id}&view=table`);
  await expectResultCount(page, count);

  // In a list, those that are in their territory stay.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await runBulkAction(page, 'Assign evenly');
  const evenly = page.getByRole('dialog', { name: 'Assign Evenly' });
  await evenly.getByRole('button', { name: 'Each to its own territory' }).click();
  await evenly.getByLabel('Outside all territories').selectOption(fallback.fullName);
  await expect(evenly.getByText(/stay with their holders/)).toBeVisible();
  await page.keyboard.press('Escape');

  const id = await createImportOf(
    page,
    'Company,Postcode\nPendennis Pasties,TR11 4LP\nLemon Quay Books,TR1 2LW\nFar Away Teas,YO1 7HH',
  );
  await page.goto(`/import/${id}`);
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByText('3 rows name no user. Who gets them?')).toBeVisible();
  await page.getByRole('button', { name: 'Each to its own territory' }).click();
  await page
    .getByLabel('Outside all territories')
    .selectOption({ label: `${fallback.fullName} (${fallback.username})` });
  await expect(page.getByText('Tegen Trelawny 2, outside all territories: 1 → Faye Fallback')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import 3 businesses' }).click();
  await expect(page.getByText('3 rows: 3 new leads.').first()).toBeVisible();
  await page.goto(`/crm?user=${owner.id}&q=Pendennis`);
  await expectResultCount(page, 1);
  expect(outside).toEqual([]);
});
