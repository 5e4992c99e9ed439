import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { callAll, type HttpRequest, milliseconds, toRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { openPool } from '../measure/database.ts';
import { buildRows, toCsv } from '../measure/import-rows.ts';
import { treeMemoryMb } from '../measure/processes.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin } from '../measure/users.ts';
import { importFile } from './import.ts';

const REQUESTS = 1_600;
const CALLERS = 16;

/** The product as `npm start` runs it, with the PostgreSQL that it starts: an import, a list, a status change. */
export const builtInBench: Bench = {
  title: 'The built-in PostgreSQL',
  run: ([rowCount = '20000']) =>
    withCleanup(async (defer) => {
      const product = await startProduct(defer);
      const pool = openPool(defer, product.databaseUrl);
      const admin = await createAdmin(pool);
      const file = toCsv(buildRows('Bench', Number(rowCount)));
      const importMs = await milliseconds(() => importFile(product.url, admin.cookie, file, Number(rowCount)));
      const { rows: leads } = await pool.query<{ id: number }>('select id from user_businesses order by id limit 500');

      const list = () => toRequest(admin, listLeads, { query: { status: 'new', user: admin.id } });
      const change = (nth: number) =>
        toRequest(admin, changeLeadStatus.byId, {
          params: { id: leads[nth % leads.length]?.id ?? 0 },
          body: { status: Math.floor(nth / leads.length) % 2 ? 'in_progress' : 'recontact' },
        });
      const measure = async (build: (nth: number) => HttpRequest) => {
        const requests = Array.from({ length: REQUESTS }, (_, nth) => build(nth));
        await callAll(product.url, CALLERS, requests.slice(0, 200)); // warm-up
        const alone = await callAll(product.url, 1, requests.slice(0, 400));
        const together = await milliseconds(() => callAll(product.url, CALLERS, requests));
        return `${formatNumber(median(alone), 1)} ms, ${formatNumber((1000 * REQUESTS) / together)}/s`;
      };
      const rows = [
        [`import of ${formatNumber(Number(rowCount))} rows`, `${formatNumber(importMs / 1000, 1)} s`],
        [`filtered list, 1 caller and ${CALLERS}`, await measure(list)],
        [`status change, 1 caller and ${CALLERS}`, await measure(change)],
        ['memory after that, product and database (PSS)', `${treeMemoryMb(product.processId)} MB`],
      ];
      return { text: markdownTable(['', ''], rows), ratios: {} };
    }),
};
