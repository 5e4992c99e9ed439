import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { findChromium } from '../../e2e/chromium.ts';
import { callAll, toRequest } from '../measure/callers.ts';
import { temporaryFolder, withCleanup } from '../measure/cleanup.ts';
import { openPool } from '../measure/database.ts';
import { treeMemoryMb } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatRange, markdownTable } from '../measure/statistics.ts';
import { createUsers, type User } from '../measure/users.ts';

const CALLERS = 50;
const REQUESTS = 4_000;
/** The limit for the scripts of the first screen. */
const MAX_SCRIPT_KB = 115;

/** How fast it starts, how much memory it takes, and what a browser downloads before a user can sign in. */
export const startBench: Bench = {
  title: 'Start, memory, first screen',
  run: ([rounds = '5']) =>
    withCleanup(async (defer) => {
      const dataDir = join(temporaryFolder(defer), 'data');
      let product = await startProduct(defer, { dataDir });
      const firstMs = product.startMs;
      const users = await createUsers(openPool(defer, product.databaseUrl), CALLERS);
      const later: number[] = [];
      for (let round = 0; round < Number(rounds); round += 1) {
        await product.stop();
        product = await startProduct(defer, { dataDir });
        later.push(product.startMs);
      }
      await wait(5_000);
      const idleMb = treeMemoryMb(product.processId);
      const requests = Array.from({ length: REQUESTS }, (_, nth) =>
        toRequest(users[nth % users.length] as User, listLeads),
      );
      await callAll(product.url, CALLERS, requests);
      const rows = [
        ['first start of an empty database', `${formatNumber(firstMs)} ms`],
        [`later starts, ${rounds} rounds`, `${formatRange(later)} ms`],
        ['memory at rest, product and database (PSS)', `${idleMb} MB`],
        [`after ${CALLERS} callers have read ${formatNumber(REQUESTS)} pages`, `${treeMemoryMb(product.processId)} MB`],
      ];
      const { scriptKb, allKb } = await measureFirstScreen(product.url);
      const screen = `\`/auth\` needs ${formatNumber(scriptKb, 1)} kB of compressed JavaScript (at most ${MAX_SCRIPT_KB}) and ${formatNumber(allKb, 1)} kB in all before the form can be used.`;
      return {
        text: `${markdownTable(['', ''], rows)}\n\n${screen}`,
        ratios: { 'first screen, share of its bound': { value: scriptKb / MAX_SCRIPT_KB, better: 'lower' } },
      };
    }),
};

/** What a browser downloads before a user can sign in, compressed as it is sent over plain HTTP. */
async function measureFirstScreen(url: string): Promise<{ scriptKb: number; allKb: number }> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    const types = new Map<string, string>();
    const bytes = { script: 0, all: 0 };
    await session.send('Network.enable');
    session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes.all += encodedDataLength;
      if (types.get(requestId) === 'Script') bytes.script += encodedDataLength;
    });
    await page.goto(`${url}/auth`, { waitUntil: 'networkidle' });
    await page.getByLabel('Username or email').fill('olivia');
    return { scriptKb: bytes.script / 1000, allKb: bytes.all / 1000 };
  } finally {
    await browser.close();
  }
}
