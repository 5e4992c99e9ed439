import { getChangeBatch, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import { deleteUser } from '#contract/users/users.calls.ts';
import { milliseconds } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { createClient } from '../measure/client.ts';
import { startDatabase } from '../measure/database.ts';
import { buildRows, toCsv } from '../measure/import-rows.ts';
import { peakMemoryMb } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable, quantile } from '../measure/statistics.ts';
import { createAdmin, createUsers } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { importFile, timeListDuring } from './import.ts';

const MEMORY_LIMIT_MB = 400;
const LIST_LIMIT_MS = 200;
const LONG_MS = 1_800_000;

/** Large work in steps: how long it takes, with how much memory, and how another user's list responds meanwhile. */
export const jobsBench: Bench = {
  title: 'Large undo and deletion',
  run: ([size = '100000']) =>
    withCleanup(async (defer) => {
      const leads = Number(size);
      const { pool, env } = await startDatabase(defer);
      const [admin, [other, leaving]] = [await createAdmin(pool), await createUsers(pool, 2)];
      if (!other || !leaving) throw new Error('two users are needed');
      const { url, processId } = await startProduct(defer, { env });
      const client = createClient(url);
      const lines: string[][] = [];
      const measure = async (what: string, work: () => Promise<unknown>) => {
        let [seconds, times]: [number, number[]] = [0, []];
        const timed = async () => {
          seconds = (await milliseconds(work)) / 1_000;
        };
        const memory = await peakMemoryMb(processId, async () => {
          times = await timeListDuring(url, other.cookie, timed);
        });
        const tooSlow = quantile(times, 0.95) > LIST_LIMIT_MS ? ' (FAIL)' : '';
        const tooLarge = memory > MEMORY_LIMIT_MB ? ' (FAIL)' : '';
        lines.push([what, `${seconds.toFixed(0)} s`, `${memory} MB${tooLarge}`, `${formatTimes(times)}${tooSlow}`]);
      };

      await importFile(url, admin.cookie, toCsv(buildRows('Undone', leads)), leads);
      const { body: listed } = await client.call(listChanges, {}, admin);
      const batchId = listed.items.find(({ kind }) => kind === 'import')?.id ?? '';
      const preview = () => client.call(getChangeBatch, { params: { batchId } }, admin);
      await measure('its preview', preview);
      await measure(`undo of an import of ${formatNumber(leads)} rows`, async () => {
        const { body } = await client.call(undoChanges, { params: { batchId } }, admin);
        const { job } = body;
        if (!job) return;
        const state = async () => (await client.call(getJob, { params: { jobId: job.id } }, admin)).body.state;
        if (!(await waitUntil(async () => (await state()) !== 'running', LONG_MS, 250)))
          throw new Error('It did not end.');
        if ((await state()) !== 'done') throw new Error('It was stopped.');
      });

      await pool.query(
        `with shops as (insert into businesses (place_id, name) select gen_random_uuid()::text, 'Shop ' || n
           from generate_series(1, $1::int) n returning id)
         insert into user_businesses (user_id, business_id) select $2::int, id from shops`,
        [leads, leaving.id],
      );
      await measure(`deletion of a user with ${formatNumber(leads)} leads`, async () => {
        await client.call(deleteUser, { params: { id: leaving.id } }, admin);
        const left = async () => (await pool.query('select from users where id = $1', [leaving.id])).rowCount;
        if (!(await waitUntil(async () => (await left()) === 0, LONG_MS, 250))) throw new Error('It did not end.');
      });
      const heading = `the limits are ${MEMORY_LIMIT_MB} MB and ${LIST_LIMIT_MS} ms (95%)`;
      return {
        text: markdownTable([heading, 'time', 'peak memory', "another user's list (median / 95% / max)"], lines),
        ratios: {},
      };
    }),
};
