import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createApp } from '#server/app.ts';
import type { Database } from '#server/kit/db/open.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import type { Request } from './callers.ts';

/** What a request asks of the database, statement by statement, as the driver was given it. */
export type Recorded = { query: string | pg.QueryConfig; values: unknown[] }[];

/** The statements of each request, heard on the driver while the product answers it in this process. */
export async function record(database: Database, requests: Request[]): Promise<Recorded[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  const env = readEnv({ DATA_DIR: dataDir, RATE_LIMIT_FACTOR: '100000' });
  const log = createLog('silent', { write: () => {} });
  const app = await createApp({ database, env, clock: () => new Date(), log });
  await app.warmUp();
  const recorded: Recorded[] = [];
  try {
    for (const { method, path, cookie, body } of requests) {
      const statements: Recorded = [];
      const stop = hear(statements);
      const response = await app.http
        .inject({
          method: method as 'GET',
          url: path,
          headers: { host: 'localhost', cookie },
          ...(body !== undefined && { payload: body as object }),
        })
        .finally(stop);
      if (response.statusCode >= 300)
        throw new Error(`${method} ${path} answered ${response.statusCode}: ${response.body}`);
      recorded.push(statements);
    }
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return recorded;
}

/** Listens to what any client of this process is asked, until it is told to stop. */
export function hear(statements: Recorded): () => void {
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config, values] = args as [Recorded[number]['query'], unknown];
    const own = typeof config === 'string' ? [] : (config.values ?? []);
    statements.push({ query: config, values: Array.isArray(values) ? values : own });
    return query.apply(this, args);
  } as typeof pg.Client.prototype.query;
  return () => {
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
  };
}

/** The same statements through the driver alone, on one connection of the pool. */
export async function replay(pool: pg.Pool, statements: Recorded): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { query, values } of statements) await client.query(query as string, values);
  } finally {
    client.release();
  }
}
