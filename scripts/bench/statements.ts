import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createApp } from '#server/app.ts';
import type { Database } from '#server/kit/db/open.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import type { HttpRequest } from '../measure/callers.ts';
import { temporaryFolder, withCleanup } from '../measure/cleanup.ts';

/** The statements of one request, as the driver received them. */
export type Statements = { query: string | pg.QueryConfig; values: unknown[] }[];

/** The statements of each request, recorded at the driver while the product handles it in this process. */
export const recordStatements = (database: Database, requests: HttpRequest[]): Promise<Statements[]> =>
  withCleanup(async (defer) => {
    const env = readEnv({ DATA_DIR: temporaryFolder(defer), RATE_LIMIT_FACTOR: '100000' });
    const log = createLog('silent', { write: () => {} });
    const app = await createApp({ database, env, clock: () => new Date(), log });
    defer(app.close);
    await app.warmUp();
    const recorded: Statements[] = [];
    for (const { method, path, cookie, body } of requests) {
      const statements: Statements = [];
      const stop = interceptQueries(statements);
      const payload = body !== undefined && { payload: body as object };
      const response = await app.http
        .inject({ method: method as 'GET', url: path, headers: { host: 'localhost', cookie }, ...payload })
        .finally(stop);
      if (response.statusCode >= 300) throw new Error(`${method} ${path} returned ${response.statusCode}`);
      recorded.push(statements);
    }
    return recorded;
  });

/** Notes the queries of every client in this process; returns the function that ends it. */
function interceptQueries(statements: Statements): () => void {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: [Statements[number]['query'], unknown]) {
    const [config, values] = args;
    const ownValues = typeof config === 'string' ? [] : (config.values ?? []);
    statements.push({ query: config, values: Array.isArray(values) ? values : ownValues });
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  return () => {
    pg.Client.prototype.query = query;
  };
}

/** The same statements through the driver alone, on one connection of the pool. */
export async function replay(pool: pg.Pool, statements: Statements): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { query, values } of statements) await client.query(query as string, renewBatch(query, values));
  } finally {
    client.release();
  }
}

export const writesChangeLog = (query: unknown) => JSON.stringify(query).includes('into change_batches');

/** A batch of changes is written once: with another id. */
const renewBatch = (query: string | pg.QueryConfig, values: unknown[], id = randomUUID()): unknown[] =>
  writesChangeLog(query) ? values.map((value) => (value === values[0] ? id : value)) : values;
