import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createAccounts } from './accounts.ts';
import { assignLeads } from './leads.ts';
import { buildMapFile, buildWaterTile, RED_TILE } from './map-file.ts';
import { expect, test } from './product.ts';
import type { startProduct } from './started-product.ts';

const storeFile = async (bytes: Buffer) => {
  const path = join(await mkdtemp(join(tmpdir(), 'highstreet-map-')), 'gb.pmtiles');
  await writeFile(path, bytes);
  return path;
};

/** The map of a product with these tiles, as a user with one lead sees it. */
async function openMap(page: Page, start: typeof startProduct, tileUrl: string) {
  const product = await start('main', { TILE_URL: tileUrl });
  const accounts = await createAccounts(product.url);
  await assignLeads(accounts, accounts.admin);
  await accounts.signIn(page, accounts.admin);
  await page.goto(`${product.url}/crm?view=map`);
  await expect(page.getByRole('region', { name: 'Map' })).toBeVisible();
  return product;
}

/** The colour in the middle of the first tile that is drawn. */
const readColour = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.leaflet-tile-pane canvas.leaflet-tile-loaded');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return undefined;
    return [...context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
  });

test('a file of raster tiles is drawn, from this server alone', async ({ page, startOwnProduct }) => {
  const metadata = { attribution: '<a href="https://maps.example.com">Example Survey</a>' };
  const path = await storeFile(buildMapFile({ type: 'png', tile: RED_TILE, metadata }));
  const parts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/map/tiles.pmtiles')) parts.push(String(response.status()));
  });
  await openMap(page, startOwnProduct, path);
  await expect.poll(() => readColour(page)).toEqual([255, 0, 0, 255]);
  expect(new Set(parts)).toEqual(new Set(['206']));
  await expect(page.getByText('Example Survey')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Example Survey' })).toHaveCount(0);
});

test('a file of vector tiles is drawn, and names OpenStreetMap', async ({ page, startOwnProduct }) => {
  const path = await storeFile(buildMapFile({ type: 'mvt', tile: buildWaterTile() }));
  await openMap(page, startOwnProduct, path);
  // The blue of water: more blue than red.
  await expect
    .poll(async () => {
      const [red = 0, , blue = 0, alpha] = (await readColour(page)) ?? [];
      return alpha === 255 && blue > red;
    })
    .toBe(true);
  await expect(page.getByText('© OpenStreetMap contributors')).toBeVisible();
});

test('where the file cannot be fetched, the base map is seen', async ({ page, startOwnProduct, expectedErrors }) => {
  expectedErrors.push(/net::ERR_/, /Failed to fetch/);
  const path = await storeFile(buildMapFile({ type: 'png', tile: RED_TILE }));
  await page.route('**/api/map/tiles.pmtiles', (route) => route.abort());
  await openMap(page, startOwnProduct, path);
  await expect(page.getByText(/It shows coasts and towns only/)).toBeVisible();
  await expect(page.locator('.base-land')).toBeVisible();
});

test('a file that is missing leaves the base map', async ({ page, startOwnProduct }) => {
  await openMap(page, startOwnProduct, '/nowhere/gb.pmtiles');
  await expect(page.locator('.base-land')).toBeVisible();
  await expect(page.getByText(/Natural Earth/)).toBeVisible();
});
