import { expect, type Page } from '@playwright/test';

const TILES = /tile\.openstreetmap\.org/;

/** What stories do and see on the list of leads. */
export const found = (page: Page, count: number) =>
  expect(page.getByText(count === 1 ? '1 result found' : `${count} results found`)).toBeVisible();

export const toast = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();

export async function bulk(page: Page, ...path: string[]) {
  await page.getByRole('button', { name: 'Bulk Actions' }).click();
  for (const item of path) await page.getByRole('menuitem', { name: item, exact: true }).click();
}

export async function expectNoOverflow(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

/** No tile can be had: the map has to work all the same. */
export async function withoutTiles(page: Page, expectedComplaints: RegExp[]) {
  expectedComplaints.push(TILES, /net::ERR_/);
  await page.route(TILES, (route) => route.abort());
}
