import { expect, type Page } from '@playwright/test';

export const expectToast = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();

/** Fails where the page is wider than its window. Polled: after a resize, some widths are set by observers. */
export async function expectNoOverflow(page: Page, screen = 'the page') {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow, `${screen} at ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
}

/** Chooses a theme in the menu behind the user's name. */
export async function chooseTheme(page: Page, fullName: string, theme: 'System' | 'Light' | 'Dark') {
  await page.getByRole('banner').getByRole('button', { name: fullName }).click();
  await page.getByRole('radio', { name: theme }).check({ force: true });
  await page.keyboard.press('Escape');
}
