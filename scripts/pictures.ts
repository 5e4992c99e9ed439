// npm run pictures: writes the README's pictures to docs/images, of the built product (npm run build) with the demo's data.
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { login } from '#contract/auth/auth.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { ROOT } from '#server/paths.ts';
import { findChromium } from '../e2e/chromium.ts';
import { startProduct } from '../e2e/started-product.ts';
import { DEMO_PASSWORD } from './demo/team.ts';

interface Picture {
  name: string;
  /** Someone whose target is not reached yet: its celebration would cover the screen. */
  username: 'olivia' | 'grace';
  path: string;
  /** What is on the screen once it is loaded. */
  shows: string;
}

const VIEWPORT = { width: 1440, height: 900 };
const PICTURES: Picture[] = [
  { name: 'list', username: 'grace', path: '/crm', shows: 'View Profile' },
  { name: 'today', username: 'grace', path: '/today', shows: 'Overdue' },
  { name: 'profile', username: 'grace', path: 'a lead in negotiation', shows: 'Business Information' },
  { name: 'board', username: 'grace', path: '/crm?view=board', shows: 'Negotiation' },
  { name: 'map', username: 'olivia', path: '/crm?view=map', shows: 'Reset View' },
  { name: 'coverage', username: 'olivia', path: '/coverage', shows: 'Figures of' },
];
/** A transparent PNG of one pixel. */
const NO_TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);
/** Transitions, map tiles and the last images. */
const SETTLE_MS = 1_500;

const product = await startProduct('demo');
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  for (const theme of ['light', 'dark'] as const) {
    for (const picture of PICTURES) {
      const context = await browser.newContext({
        ...{ baseURL: product.url, viewport: VIEWPORT, colorScheme: theme, reducedMotion: 'reduce' },
        ...{ locale: 'en-GB', timezoneId: 'Europe/London' },
      });
      await take(context, picture, join(ROOT, 'docs', 'images', `${picture.name}-${theme}.png`));
      await context.close();
    }
  }
} finally {
  await browser.close();
  await product.stop();
}

async function take(context: BrowserContext, { name, username, path, shows }: Picture, file: string) {
  const data = { username, password: DEMO_PASSWORD };
  await context.request.post(login.path, { data });
  const page = await context.newPage();
  // The map shows its own coasts and towns, whether or not this machine reaches a tile server.
  await page.route(/tile\.openstreetmap\.org/, (route) => route.fulfill({ contentType: 'image/png', body: NO_TILE }));
  await page.goto(name === 'profile' ? await findProfile(context) : path);
  // The figures of a new installation are counted first.
  await page.getByText(shows).filter({ visible: true }).first().waitFor({ timeout: 60_000 });
  await page.getByText('List refreshed').waitFor({ state: 'hidden' });
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: file });
  console.log(file);
}

/** The lead in negotiation that was contacted last, which has a history to show. */
async function findProfile({ request }: BrowserContext): Promise<string> {
  const response = await request.get(`${listLeads.path}?status=negotiation`);
  const [first] = listLeads.response.parse(await response.json()).items;
  if (!first) throw new Error('The demo has no lead in negotiation');
  return `/business/uuid/${first.userBusiness.uuid}`;
}
