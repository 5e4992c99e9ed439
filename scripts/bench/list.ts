import type { Pool } from 'pg';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase, withoutTimeout } from '../measure/database.ts';
import { generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { createAdmin, signIn, type User } from '../measure/users.ts';
import { timeChanges } from './list-changes.ts';
import { type ListFigures, report } from './list-report.ts';
import { measureThroughput } from './list-throughput.ts';
import { timeLists } from './list-times.ts';

const SIZES = [10_000, 100_000, 1_000_000];

/** About 600 lists, the choices of the filter and a status change, at three sizes, before and after a bulk change. */
export const listBench: Bench = {
  title: 'The list of leads',
  async run([maxLeads = String(SIZES.at(-1))]) {
    const sizes: ListFigures[] = [];
    for (const leads of SIZES.filter((size) => size <= Number(maxLeads))) sizes.push(await measureAt(leads));
    return report(sizes);
  },
};

const measureAt = (leads: number): Promise<ListFigures> =>
  withCleanup(async (defer) => {
    const database = await startDatabase(defer);
    const { pool, env } = database;
    const generated = await generateLeads(pool, leads);
    const [busy, quiet] = (await signIn(pool, [generated.busyUserId, generated.quietUserId])) as [User, User];
    const users = { admin: await createAdmin(pool), busy, quiet };
    const product = await startProduct(defer, { env });
    const before = await timeLists(product.url, generated, users);
    const throughput = await measureThroughput(product, database, users);
    await changeStatuses(pool, Math.min(100_000, leads / 10));
    const after = await timeLists(product.url, generated, users);
    const changes = await timeChanges(product.url, pool, busy);
    return { leads, before, after, throughput, changes };
  });

/** A bulk change spread over all leads. The lists are measured directly after it, before autovacuum has run. */
const changeStatuses = (pool: Pool, count: number) =>
  withoutTimeout(pool, (client) =>
    client.query(
      `update user_businesses set status = 'recontact', updated_at = now()
       where id in (select id from user_businesses order by md5(id::text) limit $1)`,
      [count],
    ),
  );
