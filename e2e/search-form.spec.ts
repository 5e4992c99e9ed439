import { expect, test } from './product.ts';

test('suggestions cover no other field, on a wide screen and on a phone', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create());
  await page.goto('/search');
  const options = page.getByRole('option');
  const typeLocation = (text: string) => page.getByLabel('Location').fill(text);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await typeLocation('lon');
    await expect(options.first()).toBeVisible();
    await page.getByLabel('Open Now').click();
    await expect(page.getByLabel('Open Now')).toBeChecked();
    await expect(options).toHaveCount(0);
    await typeLocation('lo');
    await expect(options.first()).toBeVisible();
    await page.getByRole('button', { name: 'Advanced' }).click();
    await expect(page.getByLabel('Keyword')).toBeVisible();
    await typeLocation('leeds');
    await expect(page.getByRole('option', { name: 'Leeds', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page.getByText('Business type is required')).toBeVisible();
    await page.reload();
  }
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

  test('a tap below the suggestions reaches its target although the list closes', async ({ page, accounts }) => {
    await accounts.signIn(page, await accounts.create());
    await page.goto('/search');
    await page.getByLabel('Location').fill('lon');
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.getByLabel('Open Now').tap();
    await expect(page.getByLabel('Open Now')).toBeChecked();
    await expect(page.getByRole('option')).toHaveCount(0);
    await page.getByLabel('Location').fill('leeds');
    await page.getByRole('option', { name: 'Leeds', exact: true }).tap();
    await expect(page.getByLabel('Location')).toHaveValue('Leeds');
  });
});
