import { chromium, type Page } from '@playwright/test';
import { getToday } from '#contract/leads/today/today.calls.ts';
import { findChromium } from '../../e2e/chromium.ts';
import { callAll, toRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable } from '../measure/statistics.ts';
import { createUsers, type User } from '../measure/users.ts';

const OWN_LEADS = 2_000;
const READS = 200;
const LEADS_WORKED = 50;

/** Today of a user with many leads, and from the key that logs an outcome to the next lead on the screen. */
export const workingDayBench: Bench = {
  title: 'Working day',
  run: ([leads = '100000']) =>
    withCleanup(async (defer) => {
      const { pool, env } = await startDatabase(defer);
      await generateLeads(pool, Number(leads));
      const [seller] = (await createUsers(pool, 1)) as [User];
      await pool.query(GIVE_LEADS, [seller.id, OWN_LEADS]);
      await pool.query('analyze');
      const product = await startProduct(defer, { env });
      const requests = Array.from({ length: READS }, () => toRequest(seller, getToday));
      const today = await callAll(product.url, 1, requests);
      const next = await workThrough(product.url, seller);
      const rows = [
        [`\`GET /api/today\` of a user with ${formatNumber(OWN_LEADS)} leads, ${READS} times`, formatTimes(today, 1)],
        [`work mode, from the key to the next lead painted, ${next.length} leads`, formatTimes(next, 1)],
      ];
      const head = [`${formatNumber(Number(leads))} leads of the team, ms`, 'median / 95% / max'];
      return { text: markdownTable(head, rows), ratios: {} };
    }),
};

/** Leads of all others, of which one in ten is due, one in ten overdue, and one in five never contacted. */
const GIVE_LEADS = `
  with given as (
    select id, row_number() over (order by id) as nth from user_businesses
    where not archived and not existing_customer and status not in ('closed_won', 'closed_lost')
    order by id limit $2),
  moved as (
    update user_businesses set user_id = $1, last_contacted_at =
      case when nth % 5 = 0 then null else coalesce(last_contacted_at, now() - interval '9 days') end
    from given where given.id = user_businesses.id returning user_businesses.id, nth)
  insert into contact_activities (user_business_id, type, description, created_by, scheduled_at)
  select id, 'call', 'Ask how it went', $1, now() + (case when nth % 10 = 1 then -3 else 0 end) * interval '1 day'
  from moved where nth % 10 in (1, 2)`;

async function workThrough(url: string, { cookie }: User): Promise<number[]> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url }]);
    await page.goto(`${url}/today`);
    await page
      .getByRole('button', { name: /^Work through/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Work through leads' }).waitFor();
    await page.waitForTimeout(2_000);
    const times: number[] = [];
    for (let nth = 0; nth < LEADS_WORKED; nth += 1) times.push(await logByKey(page));
    return times;
  } finally {
    await browser.close();
  }
}

/** Logs "No answer", and waits for the heading of another lead to be painted. A user needs a second for the next one. */
async function logByKey(page: Page): Promise<number> {
  const painted = page.evaluate<number>(`(async () => {
    const before = document.querySelector('h1').textContent;
    const pressed = new Promise((resolve) => addEventListener('keydown', (event) => resolve(event.timeStamp), { capture: true, once: true }));
    const start = await pressed;
    while (document.querySelector('h1')?.textContent === before) await new Promise(requestAnimationFrame);
    return (await new Promise(requestAnimationFrame)) - start;
  })()`);
  await page.waitForTimeout(50);
  await page.keyboard.press('1');
  const ms = await painted;
  await page.waitForTimeout(1_000);
  return ms;
}
