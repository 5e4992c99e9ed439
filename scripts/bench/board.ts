import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../../e2e/chromium.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin } from '../measure/users.ts';

/** How a layout is opened, how the requests for its leads are recognised, and what shows that they are drawn. */
const BOARD = { path: '/crm?view=board', data: 'status=', content: 'h3' };
const TABLE = {
  path: '/crm?view=table&columns=status,next,tags&pageSize=100',
  data: 'pageSize=100',
  // Until then the rows are those of the page before.
  content: '[aria-busy=false] td',
};
/** Then the rest of the screen is loaded, and what follows is scrolling or dragging alone. */
const REST_MS = 4_000;
const STEPS = Array.from({ length: 100 }, (_, step) => step);

/** In a browser: from the data to the first content, and the longest frame while scrolling and dragging. */
export const boardBench: Bench = {
  title: 'Board and table',
  run: ([leads = '100000', rounds = '5']) =>
    withCleanup(async (defer) => {
      const { pool, env } = await startDatabase(defer);
      await generateLeads(pool, Number(leads));
      const [name = '', value = ''] = (await createAdmin(pool)).cookie.split('=');
      const { url } = await startProduct(defer, { env });
      const args = ['--no-sandbox', '--disable-gpu'];
      const browser = await chromium.launch({ executablePath: findChromium(), args });
      defer(() => browser.close());
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.context().addCookies([{ name, value, url }]);
      const scroll = async () => {
        await page.mouse.move(200, 600);
        for (const step of STEPS) await page.mouse.wheel(0, step < 80 ? 400 : 120_000);
      };
      const drag = async () => {
        await page.locator('[data-status="new"] h3').nth(8).waitFor();
        await page.mouse.down();
        for (const step of STEPS) await page.mouse.move(200 + step * 8, 600 + step);
        await page.mouse.up();
      };
      const turns = [
        { what: 'board: cards after their data', limit: 300, turn: () => open(page, BOARD) },
        { what: 'board: longest frame, scrolling a column', limit: 50, turn: () => longestFrame(page, scroll) },
        { what: 'board: longest frame, dragging a card', limit: 50, turn: () => longestFrame(page, drag) },
        { what: 'table: rows after their data', limit: 300, turn: () => open(page, TABLE) },
        { what: 'table: longest frame, scrolling 100 rows', limit: 50, turn: () => longestFrame(page, scroll) },
      ].map((turn) => ({ ...turn, ms: [] as number[] }));
      for (let round = 0; round < Number(rounds); round += 1) {
        await page.goto(`${url}/crm?view=map`); // nothing of the others has been drawn yet
        await page.waitForTimeout(REST_MS);
        for (const { turn, ms } of turns) ms.push(await turn());
      }
      const rows = turns.map(({ what, limit, ms }) => {
        const passed = Math.round(Math.max(...ms)) <= limit ? 'pass' : 'FAIL';
        return [what, formatNumber(median(ms)), `${formatNumber(Math.max(...ms))} (≤ ${limit}: ${passed})`];
      });
      const head = [`${formatNumber(Number(leads))} leads, ${rounds} rounds, ms`, 'median', 'maximum'];
      return { text: markdownTable(head, rows), ratios: {} };
    }),
};

/** Within the app: from the first response with the leads until they are painted. */
async function open(page: Page, { path, data, content }: typeof BOARD): Promise<number> {
  const ms = await page.evaluate<number>(`(async () => {
    performance.clearResourceTimings();
    history.pushState(null, '', '${path}');
    while (!document.querySelector('${content}')) await new Promise(requestAnimationFrame);
    const painted = await new Promise(requestAnimationFrame);
    const reads = performance.getEntriesByType('resource').filter(({ name }) => name.includes('${data}'));
    return painted - Math.min(...reads.map(({ responseEnd }) => responseEnd));
  })()`);
  await page.waitForTimeout(REST_MS);
  return ms;
}

async function longestFrame(page: Page, act: () => Promise<void>): Promise<number> {
  const measured = page.evaluate<number>(`(async () => {
    const frames = [await new Promise(requestAnimationFrame)];
    for (measuring = true; measuring; ) frames.push(await new Promise(requestAnimationFrame));
    return Math.max(...frames.slice(1).map((at, nth) => at - frames[nth]));
  })()`);
  await act();
  await page.evaluate('measuring = false');
  return measured;
}
