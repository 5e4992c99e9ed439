import { chromium, type Page } from '@playwright/test';
import { login } from '#contract/auth/auth.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { findChromium } from '../../e2e/chromium.ts';
import { type Speed, startPhoneNetwork } from '../../e2e/phone-network.ts';
import { startProduct } from '../../e2e/started-product.ts';
import { DEMO_PASSWORD } from '../demo/team.ts';
import { withCleanup } from '../measure/cleanup.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, markdownTable } from '../measure/statistics.ts';

/** As in the tests of phones that browsers come with. */
const SLOW_4G: Speed = { roundTripMs: 150, kilobits: 1_600 };
/** The processor of a phone is slower than that of this machine. */
const SLOWER = 4;
const MAX_TODAY_KB = 60;
const MAX_PROFILE_KB = 15;
const QUIET_MS = 1_500;

/** What a phone loads and waits for, of the demo's data. */
export const phoneBench: Bench = {
  title: 'On a phone with a slow network',
  run: () =>
    withCleanup(async (defer) => {
      const product = await startProduct('demo');
      defer(() => product.stop());
      const network = await startPhoneNetwork(product.url, SLOW_4G);
      defer(() => network.stop());
      const browser = await chromium.launch({
        executablePath: findChromium(),
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      });
      defer(() => browser.close());
      const context = await browser.newContext({ baseURL: network.url, viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      const visit = measureVisits(page, network);

      const rows = [await visit('the sign-in page, first visit', '/auth', 'Sign in')];
      await context.request.post(login.path, { data: { username: 'grace', password: DEMO_PASSWORD } });
      rows.push(await visit('Today, first visit', '/today', 'Overdue'));
      await page.waitForFunction('navigator.serviceWorker.controller !== null');
      await settle(page, network);
      const today = await visit('Today, afterwards', '/today', 'Overdue');
      const profile = await visit('a profile, opened there', undefined, 'Business Information');
      rows.push(today, profile, await visit('the leads, afterwards', '/crm', 'View Profile'));
      const { items } = listLeads.response.parse(await (await context.request.get(listLeads.path)).json());
      return {
        text: `${markdownTable(
          ['of the demo', 'requests', 'kB', 'seconds until it is shown'],
          rows.map(({ cells }) => cells),
        )}

A round trip of ${SLOW_4G.roundTripMs} ms, ${formatNumber(SLOW_4G.kilobits)} kbit/s, a processor that is ${SLOWER} times slower, and no delay of a radio that sleeps. kB are those on the
wire, with headers, from an empty cache; the first visit to Today also stores the app on the device, after it is shown. Bounds: Today ${MAX_TODAY_KB} kB and a profile ${MAX_PROFILE_KB} kB after the first
visit. Requests are also those that the device answers by itself. The list has ${items.length} leads a page.`,
        ratios: {
          'Today after the first visit, share of its bound': { value: today.kilobytes / MAX_TODAY_KB, better: 'lower' },
          'a profile, share of its bound': { value: profile.kilobytes / MAX_PROFILE_KB, better: 'lower' },
        },
      };
    }),
};

type Network = Awaited<ReturnType<typeof startPhoneNetwork>>;

function measureVisits(page: Page, network: Network) {
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  /** Without a path, the first lead of Today is opened. */
  return async (name: string, path: string | undefined, shows: string) => {
    if (path) await page.goto('about:blank');
    network.takeKilobytes();
    requests = 0;
    const startedAt = performance.now();
    if (path) await page.goto(path, { waitUntil: 'commit' });
    else await page.locator('li[data-lead] a[href^="/business/"]').first().click();
    await page.getByText(shows).filter({ visible: true }).first().waitFor({ timeout: 120_000 });
    const seconds = (performance.now() - startedAt) / 1_000;
    const kilobytes = await settle(page, network);
    return { kilobytes, cells: [name, String(requests), formatNumber(kilobytes, 1), formatNumber(seconds, 1)] };
  };
}

/** Until nothing has come for a while. */
async function settle(page: Page, network: Network): Promise<number> {
  let sum = 0;
  for (let more = 1; more > 0; sum += more) {
    await page.waitForTimeout(QUIET_MS);
    more = network.takeKilobytes();
  }
  return sum;
}
