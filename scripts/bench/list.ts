import type { Bench } from './bench.ts';
import { type BenchDatabase, startDatabase } from './databases.ts';
import { type Generated, generateLeads } from './generate-leads.ts';
import { timeLists } from './list-calls.ts';
import { timeChanges } from './list-changes.ts';
import { timeHttp } from './list-http.ts';
import { type AtSize, report } from './list-report.ts';
import { createPeople, signedIn } from './people.ts';
import { startProduct } from './product.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const PORT = 31_908;

/** About 200 lists, the choices of the filter and a status change, at three sizes, before and after a bulk change. */
export const listBench: Bench = {
  title: 'The list of leads',
  async run([maxLeads = String(SIZES.at(-1))]) {
    const measured: AtSize[] = [];
    for (const leads of SIZES.filter((size) => size <= Number(maxLeads))) {
      const database = await startDatabase();
      try {
        measured.push(await measure(database, leads));
      } finally {
        await database.stop();
      }
    }
    return report(measured);
  },
};

async function measure(database: BenchDatabase, leads: number): Promise<AtSize> {
  const beside = await database.open();
  try {
    const made = await generateLeads(beside.pool, leads);
    const people = await signIn(beside.pool, made);
    const product = await startProduct(PORT, database.env);
    try {
      const before = await timeLists(product.url, made, people);
      const http = await timeHttp(product, beside, made, people);
      await bulkChange(beside.pool, Math.min(100_000, leads / 10));
      const after = await timeLists(product.url, made, people);
      const changes = await timeChanges(product, beside.pool, people.busy);
      return { leads, before, after, http, changes };
    } finally {
      await product.stop();
    }
  } finally {
    await beside.close();
  }
}

type Pool = Awaited<ReturnType<BenchDatabase['open']>>['pool'];

async function signIn(pool: Pool, made: Generated) {
  const [busy, quiet] = await signedIn(pool, [made.busyUserId, made.quietUserId]);
  const [admin] = await createPeople(pool, 1, 'admin');
  if (!busy || !quiet || !admin) throw new Error('not signed in');
  return { busy, quiet, admin };
}

/** Spread over all leads. The lists are measured directly after it, before autovacuum has run. */
async function bulkChange(pool: Pool, count: number) {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(
      `update user_businesses set status = 'recontact', updated_at = now()
       where id in (select id from user_businesses order by md5(id::text) limit $1)`,
      [count],
    );
    await client.query('reset statement_timeout');
  } finally {
    client.release();
  }
}
