import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPath } from '#contract/call.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { openBeside } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import type { Bench } from './bench.ts';
import { callAll, type Request } from './callers.ts';
import { figure, median, seconds, table } from './figures.ts';
import { csvOf, rowsOf } from './import-rows.ts';
import { familyMemoryMb } from './memory.ts';
import { type BenchPerson, createPeople } from './people.ts';
import { startProduct } from './product.ts';

const PORT = 31_910;
const ROWS = 20_000;
const REQUESTS = 1_600;
const CALLERS = 16;

/** The product as `npm start` runs it, with the PostgreSQL that it starts itself: a file, a list, a change. */
export const builtInBench: Bench = {
  title: 'The built-in PostgreSQL',
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
    const env = { DATABASE_URL: '', DATA_DIR: dataDir };
    const product = await startProduct(PORT, env);
    try {
      const { admin, leadIds, importing } = await importLeads(product.url, env);
      const list = { status: 'new' as const, user: admin.id };
      const page: Request = { method: 'GET', path: buildPath(listLeads, { query: list }), cookie: admin.cookie };
      const change = (nth: number): Request => ({
        method: changeLeadStatus.byId.method,
        path: buildPath(changeLeadStatus.byId, { params: { id: leadIds[nth % leadIds.length] ?? 0 } }),
        body: { status: Math.floor(nth / leadIds.length) % 2 ? 'in_progress' : 'recontact' },
        cookie: admin.cookie,
      });
      const measure = async (make: (nth: number) => Request) => {
        const requests = Array.from({ length: REQUESTS }, (_, nth) => make(nth));
        await callAll(product.url, CALLERS, requests.slice(0, 200));
        const alone = await callAll(product.url, 1, requests.slice(0, 400));
        const together = await seconds(() => callAll(product.url, CALLERS, requests));
        return `${figure(median(alone), 1)} ms, ${figure(REQUESTS / together)}/s`;
      };
      const rows = [
        [`import of ${figure(ROWS)} rows`, `${figure(importing, 1)} s`],
        [`filtered list, 1 caller and ${CALLERS}`, await measure(() => page)],
        [`status change, 1 caller and ${CALLERS}`, await measure(change)],
        ['memory after that, product and database (PSS)', `${familyMemoryMb(product.processId)} MB`],
      ];
      return { text: table(['', ''], rows), ratios: {} };
    } finally {
      await product.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

async function importLeads(url: string, env: Record<string, string>) {
  const log = { info() {}, warn: console.warn, error: console.error };
  const database = await openBeside(readEnv(env), { log });
  try {
    const [admin] = (await createPeople(database.pool, 1, 'admin')) as [BenchPerson];
    const body = new FormData();
    body.append('file', csvOf(rowsOf('Bench', ROWS)), 'bench.csv');
    const importing = await seconds(async () => {
      const response = await fetch(url + importBusinesses.path, {
        method: 'POST',
        headers: { cookie: admin.cookie },
        body,
      });
      if (!response.ok) throw new Error(`not imported: ${await response.text()}`);
    });
    const { rows } = await database.pool.query<{ id: number }>('select id from user_businesses order by id limit 500');
    return { admin, leadIds: rows.map(({ id }) => id), importing };
  } finally {
    await database.close();
  }
}
