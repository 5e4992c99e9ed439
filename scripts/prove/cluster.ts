import { readFileSync } from 'node:fs';
import pg from 'pg';
import { openMailbox } from '../../e2e/mailbox.ts';
import { at } from '../setup/paths.mjs';
import { startPostgres } from '../testing/postgres.ts';
import { createAsker } from './asker.ts';
import { freePort, type Product, startProduct } from './product.ts';
import { startNginx, startPgBouncer } from './servers.ts';

export const PROCESSES = 4;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Four processes behind nginx on one PostgreSQL behind PgBouncer, all from the documented files. */
export async function startCluster(later: (undo: () => unknown) => void) {
  // The server's own time zone is a wrong one on purpose: the documented settings have to put it right.
  const postgres = await startPostgres({ settings: ['timezone=Asia/Tokyo', 'max_connections=100'] });
  if (!postgres) throw new Error('PostgreSQL is needed (Debian: apt-get install postgresql)');
  later(postgres.stop);
  await onServer(postgres.url, 'create database highstreet');
  const direct = new URL(postgres.url);
  direct.pathname = '/highstreet';
  await onServer(direct.href, readFileSync(at('docs/scaling/settings.sql'), 'utf8'));

  const pgBouncer = await startPgBouncer(await freePort(), postgres.folder);
  later(pgBouncer.stop);
  const mailbox = await openMailbox();
  later(mailbox.close);
  const ports = [];
  for (let nth = 0; nth < PROCESSES; nth += 1) ports.push(await freePort());
  const front = await freePort();
  const url = `http://127.0.0.1:${front}`;
  const env = {
    APP_URL: url,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${pgBouncer.port}/highstreet`,
    DATABASE_DIRECT_URL: direct.href,
    TRUST_PROXY: '1',
    SMTP_URL: mailbox.url,
  };
  const start = (port: number) => startProduct({ port, env });
  const starting = await Promise.allSettled(ports.map(start));
  const products: Product[] = starting.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  later(() => Promise.all(products.map((product) => product.stop())));
  for (const each of starting) if (each.status === 'rejected') throw each.reason;
  const nginx = await startNginx(front, ports);
  later(nginx.stop);
  const askers = products.map((product) => createAsker(product.url));
  for (const each of askers) later(each.close);
  const asker = createAsker(url, 200);
  later(asker.close);

  return {
    url,
    directUrl: direct.href,
    mailbox,
    products,
    /** Each process by itself, past nginx. */
    askers,
    /** All of them, as people reach them. */
    asker,
    start,
    async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
      const client = new pg.Client({ connectionString: direct.href });
      await client.connect();
      try {
        return (await client.query<T>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

async function onServer(connectionString: string, statements: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
