import { setTimeout as wait } from 'node:timers/promises';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { callAll, toRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { cpuMs, processTree } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, markdownTable } from '../measure/statistics.ts';
import { createUsers } from '../measure/users.ts';

const POLLED = [getWeeklyContacts, getMonthlyContacts];
const CONTACTS_EACH = 60;
const POLL_SECONDS = 5;
const WARM_UP_SECONDS = 10;
const CONNECTIONS = 20;
const MAX_CORES = 0.25;

/** Processor time of the product and the database while a thousand users have the page open. */
export const pollingBench: Bench = {
  title: 'Polling',
  run: ([userCount = '1000', seconds = '60']) =>
    withCleanup(async (defer) => {
      const { pool, env, processId } = await startDatabase(defer);
      const users = await createUsers(pool, Number(userCount));
      await pool.query(`insert into contact_credits (lead_id, user_id, credited_at)
        select row_number() over (), u.id, now() - n * interval '6 hours' from users u, generate_series(1, ${CONTACTS_EACH}) n`);
      await pool.query('vacuum analyze');
      const product = await startProduct(defer, { env });
      const used = () => [cpuMs([product.processId]), cpuMs(processTree(processId))];
      let before = used();
      for (let second = -WARM_UP_SECONDS; second < Number(seconds); second += 1) {
        if (second === 0) before = used();
        // Each second, those users whose turn it is.
        const polling = users.filter((_, nth) => (nth + second) % POLL_SECONDS === 0);
        const requests = polling.flatMap((user) => POLLED.map((call) => toRequest(user, call)));
        await Promise.all([callAll(product.url, CONNECTIONS, requests), wait(1000)]);
      }
      const [server = 0, database = 0] = used().map((ms, nth) => (ms - (before[nth] ?? 0)) / 1000 / Number(seconds));
      const cores = server + database;
      const size = `${formatNumber(users.length)} users, two calls every ${POLL_SECONDS} s, ${CONTACTS_EACH} contacts each`;
      const rows = [
        ['product, cores', server.toFixed(3)],
        ['PostgreSQL, cores', database.toFixed(3)],
        ['together, cores', `${cores.toFixed(3)} (≤ ${MAX_CORES}: ${cores <= MAX_CORES ? 'pass' : 'FAIL'})`],
      ];
      return { text: markdownTable([size, ''], rows), ratios: {} };
    }),
};
