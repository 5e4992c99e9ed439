import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { buildPath } from '#contract/call.ts';
import { listLeadPoints } from '#contract/leads/lead-lists.calls.ts';
import { findChromium } from '../../e2e/chromium.ts';
import type { Bench } from './bench.ts';
import { startDatabase } from './databases.ts';
import { at, figure, median, table, times } from './figures.ts';
import { generateLeads } from './generate-leads.ts';
import { createPeople } from './people.ts';
import { startProduct } from './product.ts';

/** Enough that 50,000, which is as many as the map shows, pass the filters that a list begins with. */
const LEADS = 220_000;
const PORT = 31_909;
const CALLS = 10;

/** The map with as many points as it takes: how soon it is there, and how smoothly it follows the mouse. */
export const mapBench: Bench = {
  title: 'The map with 50,000 points',
  async run([leads = String(LEADS)]) {
    const database = await startDatabase();
    const opened = await database.open();
    await generateLeads(opened.pool, Number(leads));
    const [admin] = await createPeople(opened.pool, 1, 'admin');
    await opened.close();
    const product = await startProduct(PORT, database.env);
    const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const cookie = admin?.cookie ?? '';
      const calls = await timeCalls(product.url, cookie);
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
      const seen = await openMap(context, product.url, cookie);
      return { text: report(calls, seen), ratios: {} };
    } finally {
      await browser.close();
      await product.stop();
      await database.stop();
    }
  },
};

interface Calls {
  times: number[];
  points: number;
  megabytes: number;
}

async function timeCalls(url: string, cookie: string): Promise<Calls> {
  const milliseconds: number[] = [];
  let text = '';
  for (let nth = 0; nth < CALLS; nth += 1) {
    const started = performance.now();
    const response = await fetch(url + buildPath(listLeadPoints, {}), { headers: { cookie } });
    text = await response.text();
    milliseconds.push(performance.now() - started);
  }
  return { times: milliseconds, points: JSON.parse(text).points.length, megabytes: text.length / 1e6 };
}

interface Seen {
  shownMs: number;
  /** Milliseconds between one picture on the screen and the next. */
  panning: number[];
  zooming: number[];
}

async function openMap(context: BrowserContext, url: string, cookie: string): Promise<Seen> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  // Pictures of the map come from elsewhere; here they are empty and at once.
  await context.route(/tile\.openstreetmap\.org/, (route) => route.fulfill({ status: 204 }));
  const page = await context.newPage();
  await page.goto(`${url}/crm`);
  const tab = page.getByRole('tab', { name: 'Map' });
  await tab.waitFor();
  const started = performance.now();
  await tab.click();
  await page
    .getByRole('button', { name: /businesses$/ })
    .first()
    .waitFor();
  const shownMs = performance.now() - started;
  const map = await page.getByRole('region', { name: 'Map' }).boundingBox();
  if (!map) throw new Error('the map is not on the screen');
  const centre = { x: map.x + map.width / 2, y: map.y + map.height / 2 };
  const panning = await frames(page, () => pan(page, centre));
  const zooming = await frames(page, () => zoom(page, centre));
  return { shownMs, panning, zooming };
}

type Point = { x: number; y: number };

async function pan(page: Page, { x, y }: Point) {
  for (const [dx, dy] of [
    [-300, 0],
    [200, 150],
    [250, -180],
    [-150, 60],
  ] as const) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 30 });
    await page.mouse.up();
    await settled(page);
  }
}

async function zoom(page: Page, { x, y }: Point) {
  await page.mouse.move(x, y);
  for (const turn of [-1, -1, -1, -1, 1, 1, 1, 1, 1, -1]) {
    await page.mouse.wheel(0, turn * 120);
    await settled(page);
  }
}

// What runs in the browser is text here: this room knows no window.

/** True once the map neither glides nor zooms any more. */
const AT_REST = `() => {
  const place = document.querySelector('.leaflet-map-pane')?.getAttribute('style');
  const same = window.lastPlace === place;
  window.lastPlace = place;
  return same && !document.querySelector('.leaflet-zoom-anim, .leaflet-drag-target');
}`;
const settled = (page: Page) => page.waitForFunction(`(${AT_REST})()`, undefined, { polling: 100 });

const WATCH = `(() => {
  const gaps = [];
  let last = performance.now();
  const next = (now) => {
    gaps.push(now - last);
    last = now;
    if (window.watched === gaps) requestAnimationFrame(next);
  };
  window.watched = gaps;
  requestAnimationFrame(next);
})()`;
const WATCHED = `(() => {
  const gaps = window.watched;
  window.watched = undefined;
  return gaps.slice(1);
})()`;

/** The time between pictures while something is done. */
async function frames(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(WATCH);
  await work();
  return page.evaluate<number[]>(WATCHED);
}

function report({ times: calls, points, megabytes }: Calls, { shownMs, panning, zooming }: Seen): string {
  const perSecond = (gaps: number[]) => figure((1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0));
  const line = (name: string, gaps: number[]) => [
    name,
    `${perSecond(gaps)} pictures a second; the longest gap ${figure(at(gaps, 1))} ms, 99% within ${figure(at(gaps, 0.99))} ms, median ${figure(median(gaps))} ms`,
  ];
  return table(
    ['PostgreSQL, Chromium without a graphics card', `${figure(points)} points`],
    [
      ['the points, over HTTP (median / 95% / max)', `${times(calls)}, ${figure(megabytes, 1)} MB uncompressed`],
      ['from the click on "Map" to the first clusters', `${figure(shownMs)} ms`],
      line('while the map is dragged', panning),
      line('while it zooms by the wheel', zooming),
    ],
  );
}
