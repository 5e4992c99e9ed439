import { expect, type Page } from '@playwright/test';

const TILES = /tile\.openstreetmap\.org/;

export const expectResultCount = (page: Page, count: number) =>
  expect(page.getByText(count === 1 ? '1 result found' : `${count} results found`)).toBeVisible();

export async function runBulkAction(page: Page, ...menuPath: string[]) {
  await page.getByRole('button', { name: 'Bulk Actions' }).click();
  for (const item of menuPath) await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Makes every map tile fail to load: the map has to work without them. */
export async function blockMapTiles(page: Page, expectedErrors: RegExp[]) {
  expectedErrors.push(TILES, /net::ERR_/);
  await page.route(TILES, (route) => route.abort());
}
