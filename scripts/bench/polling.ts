import { setTimeout as wait } from 'node:timers/promises';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { openConnection } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { cpuSeconds, processTree } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import { formatNumber, markdownTable } from '../measure/statistics.ts';
import { createUsers, type User } from '../measure/users.ts';
import type { Bench } from './bench.ts';

const CONTACTS_EACH = 60;
const POLL_MS = 5_000;
const WARM_UP_MS = 10_000;
const MAX_CORES = 0.25;

/** Processor time of the product and the database while a thousand users have the page open. */
export const pollingBench: Bench = {
  title: 'Polling',
  run: ([userCount = '1000', seconds = '60']) =>
    withCleanup(async (defer) => {
      const { pool, env, processId } = await startDatabase(defer);
      const users = await createUsers(pool, Number(userCount));
      await pool.query(
        `insert into contact_credits (lead_id, user_id, credited_at)
         select row_number() over (), u.id, now() - n * interval '6 hours' from users u, generate_series(1, $1::int) n`,
        [CONTACTS_EACH],
      );
      await pool.query('vacuum analyze');
      const product = await startProduct(defer, { env });
      const polling = startPolling(product.url, users);
      await wait(WARM_UP_MS);
      const used = () => [cpuSeconds([product.processId]), cpuSeconds(processTree(processId)), polling.responses()];
      const before = used();
      await wait(1000 * Number(seconds));
      const after = used();
      await polling.stop();
      const [server = 0, database = 0, responses = 0] = after.map(
        (value, nth) => (value - (before[nth] ?? 0)) / Number(seconds),
      );
      const cores = server + database;
      return {
        text: markdownTable(
          [
            `${formatNumber(users.length)} users, two calls every ${POLL_MS / 1000} s, ${CONTACTS_EACH} contacts each`,
            '',
          ],
          [
            ['responses a second', formatNumber(responses)],
            ['product, cores', server.toFixed(3)],
            ['PostgreSQL, cores', database.toFixed(3)],
            ['together, cores', `${cores.toFixed(3)} (≤ ${MAX_CORES}: ${cores <= MAX_CORES ? 'pass' : 'FAIL'})`],
          ],
        ),
        ratios: {},
      };
    }),
};

/** Each user polls over an own connection; their polls are spread over the interval. */
function startPolling(url: string, users: User[]) {
  let [responses, stopped] = [0, false];
  const polling = users.map(async ({ cookie }, nth) => {
    await wait((nth / users.length) * POLL_MS);
    const connection = openConnection(url);
    for (let next = performance.now(); !stopped; next += POLL_MS) {
      for (const { path } of [getWeeklyContacts, getMonthlyContacts]) {
        await connection.send({ method: 'GET', path, cookie });
        responses += 1;
      }
      await wait(next + POLL_MS - performance.now());
    }
    connection.close();
  });
  return {
    responses: () => responses,
    stop: () => {
      stopped = true;
      return Promise.all(polling);
    },
  };
}
