import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { checkImport, createImport, discardImport, getImport } from '#contract/import/import-jobs.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { milliseconds, openConnection } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { createClient } from '../measure/client.ts';
import { startDatabase } from '../measure/database.ts';
import { buildRows, toCsv } from '../measure/import-rows.ts';
import { peakMemoryMb } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatRange, formatTimes, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin } from '../measure/users.ts';
import { waitUntil } from '../measure/wait-until.ts';

const PAUSE_MS = 50;
const BATCH = 500;

/** How fast a CSV file becomes leads, compared with inserts by the bare driver, and how the list responds meanwhile. */
export const importBench: Bench = {
  title: 'Import',
  run: ([rowCount = '100000', rounds = '3']) =>
    withCleanup(async (defer) => {
      const rows = Number(rowCount);
      const quarter = Math.round(rows / 4);
      const { pool, env } = await startDatabase(defer);
      const { cookie } = await createAdmin(pool);
      const { url, processId } = await startProduct(defer, { env });
      /** The file is built beforehand, so that only its import is measured. */
      const prepareImport = (prefix: string, count: number) => {
        const file = toCsv(buildRows(prefix, count));
        return Object.assign(() => importFile(url, cookie, file, count), { check: () => checkFile(url, cookie, file) });
      };

      // Into empty tables, whose statistics say nothing about the rows that arrive.
      const first = (1000 * quarter) / (await milliseconds(prepareImport('First', quarter)));
      const peakOfQuarter = await peakMemoryMb(processId, prepareImport('Quarter', quarter));
      const idle = await timeListDuring(url, cookie, () => wait(5_000));
      const [speeds, bare, peaks, busy]: [number[], number[], number[], number[]] = [[], [], [], []];
      const [dryRuns, repeatedDryRuns, dryRunPeaks]: [number[], number[], number[]] = [[], [], []];
      const shareOfImport = (ms: number) => (ms * (speeds.at(-1) ?? 0)) / (1000 * rows);
      // In turns, so that other load on the machine falls on both.
      for (let round = 0; round < Number(rounds); round += 1) {
        const runImport = prepareImport(`Round ${round}`, rows);
        const newRows = await milliseconds(async () =>
          dryRunPeaks.push(await peakMemoryMb(processId, runImport.check)),
        );
        const timed = async () => void speeds.push((1000 * rows) / (await milliseconds(runImport)));
        const measured = async () => busy.push(...(await timeListDuring(url, cookie, timed)));
        peaks.push(await peakMemoryMb(processId, measured));
        dryRuns.push(shareOfImport(newRows));
        repeatedDryRuns.push(shareOfImport(await milliseconds(runImport.check)));
        const bareRows = buildRows(`Bare ${round}`, rows);
        bare.push((1000 * rows) / (await milliseconds(() => insertBare(pool, bareRows))));
      }

      const ratio = median(speeds) / median(bare);
      return {
        text: markdownTable(
          [`${formatNumber(rows)} rows a round`, `${rounds} rounds`],
          [
            [
              `first import, of ${formatNumber(quarter)} rows, into an empty database, rows a second`,
              formatNumber(first),
            ],
            ['import, rows a second', formatRange(speeds)],
            ['bare driver, rows a second', formatRange(bare)],
            ['ratio of the medians', ratio.toFixed(2)],
            [`peak memory of the process with ${formatNumber(quarter)} rows`, `${peakOfQuarter} MB`],
            [`peak memory of the process with ${formatNumber(rows)} rows`, `${formatRange(peaks)} MB`],
            ['dry run of new rows, times the import (at most 1)', formatRange(dryRuns, 2)],
            ['dry run of the imported file, times the import', formatRange(repeatedDryRuns, 2)],
            ['peak memory of the process during the dry run', `${formatRange(dryRunPeaks)} MB`],
            ["other users' list page, idle (median / 95% / max)", formatTimes(idle)],
            ["other users' list page during the import (median / 95% / max)", formatTimes(busy)],
          ],
        ),
        ratios: {
          import: { value: ratio, better: 'higher' },
          'dry run of an import': { value: median(dryRuns), better: 'lower' },
          "import's memory with four times the rows": { value: median(peaks) / peakOfQuarter, better: 'lower' },
        },
      };
    }),
};

export async function importFile(url: string, cookie: string, file: Blob, rows: number) {
  const { status, body } = await createClient(url).importCsv(importBusinesses, file, { cookie });
  const imported = status === 200 ? body.importResults.successful : 0;
  if (imported !== rows) throw new Error(`${imported} of ${rows} rows were imported: ${status} ${body.code}`);
}

async function checkFile(url: string, cookie: string, file: Blob) {
  const client = createClient(url);
  const { body: job } = await client.importCsv(createImport, file, { cookie });
  const input = { params: { id: job.id } };
  await client.call(checkImport, input, { cookie });
  const isChecked = async () => (await client.call(getImport, input, { cookie })).body.state === 'checked';
  if (!(await waitUntil(isChecked, 600_000, 250))) throw new Error('The dry run did not end.');
  await client.call(discardImport, input, { cookie });
}

/** Requests a page of the list repeatedly during the work; the milliseconds of each response. */
export async function timeListDuring(url: string, cookie: string, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const connection = openConnection(url);
  let done = false;
  const requesting = (async () => {
    for (; !done; await wait(PAUSE_MS)) {
      times.push(await milliseconds(() => connection.send({ method: 'GET', path: listLeads.path, cookie })));
    }
  })();
  await work().finally(() => {
    done = true;
  });
  await requesting;
  connection.close();
  return times;
}

/** The same rows without the product: no file, no checks and no look-ups; only the inserts, 500 to a transaction. */
async function insertBare(pool: Pool, rows: string[][]): Promise<void> {
  const client = await pool.connect();
  const insert = async (statement: string, values: unknown[]) =>
    (await client.query<{ id: number }>(`${statement} returning id`, values)).rows.map(({ id }) => id);
  try {
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      const column = (nth: number) => batch.map((row) => row[nth]);
      await client.query('begin');
      const businesses = await insert(
        `insert into businesses (place_id, name, formatted_address, town, phone, website, imported)
         select 'bare:' || md5(name || address), name, address, town, phone, website, true
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
           as given (name, address, town, phone, website)`,
        [0, 1, 2, 4, 6].map(column),
      );
      const leads = await insert(
        `insert into user_businesses (user_id, business_id, tags, custom_fields)
         select 1, id, string_to_array(tags || ', Imported', ', '), jsonb_build_object('email', email, 'contactPerson', contact)
         from unnest($1::integer[], $2::text[], $3::text[], $4::text[]) as given (id, tags, email, contact)`,
        [businesses, column(7), column(5), column(3)],
      );
      await insert(
        `insert into assignment_history (user_business_id, new_user_id, changed_by, initial)
         select id, 1, 1, true from unnest($1::integer[]) as given (id)`,
        [leads],
      );
      await client.query('commit');
    }
  } finally {
    client.release();
  }
}
