import pg from 'pg';
import type { Database } from '#server/kit/db/open.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import type { Log } from '#server/kit/log.ts';
import { withMaintenanceDatabase } from './maintenance-database.ts';

const PREFIX = '_highstreet_scratch_';
const MAX_NAME_BYTES = 63;
const NO_RIGHT = '42501';

/** The account may not create databases. */
export class NoScratchDatabase extends Error {
  constructor(account: string) {
    super(
      `the account ${account} may not create databases. ALTER ROLE ${pg.escapeIdentifier(account)} CREATEDB allows it`,
    );
  }
}

interface Options {
  /** Of the product's database, past any pooler. */
  directUrl: string;
  log: Log;
  /** Drops the database while it is in use, so that the work ends with an error. */
  signal?: AbortSignal | undefined;
}

/**
 * Works on a database of its own on the same server, which has the same settings of language and is dropped afterwards. Every
 * product database has one name for it: what a killed process left is dropped by the next one.
 */
export async function withScratchDatabase<T>(
  { directUrl, log, signal }: Options,
  work: (scratch: Database) => Promise<T>,
): Promise<T> {
  const name = await withClient(directUrl, log, createScratchDatabase);
  const drop = () => dropScratchDatabase({ directUrl, log });
  const dropNow = () => void drop().catch(() => {}); // it is dropped again below
  signal?.addEventListener('abort', dropNow);
  try {
    const databaseUrl = Object.assign(new URL(directUrl), { pathname: `/${encodeURIComponent(name)}` }).href;
    return await withMaintenanceDatabase(databaseUrl, log, work);
  } finally {
    signal?.removeEventListener('abort', dropNow);
    await drop();
  }
}

export const dropScratchDatabase = ({ directUrl, log }: Options) =>
  withClient(directUrl, log, async (client) => {
    const { database } = await readNames(client);
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(scratchName(database))} WITH (FORCE)`);
  });

async function createScratchDatabase(client: pg.Client): Promise<string> {
  const { database, account } = await readNames(client);
  const name = pg.escapeIdentifier(scratchName(database));
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ${await readLocale(client)}`);
  } catch (error) {
    throw (error as { code?: string }).code === NO_RIGHT ? new NoScratchDatabase(account) : error;
  }
  return scratchName(database);
}

/** Cut like every name that is too long for PostgreSQL. */
const scratchName = (database: string) =>
  Buffer.from(PREFIX + database)
    .subarray(0, MAX_NAME_BYTES)
    .toString();

async function readNames(client: pg.Client) {
  const { rows } = await client.query<{ database: string; account: string }>(
    'SELECT current_database() AS database, current_user AS account',
  );
  return { database: rows[0]?.database ?? '', account: rows[0]?.account ?? '' };
}

/** Words are folded and sorted as in the product's database, whatever the default of the server is. */
async function readLocale(client: pg.Client): Promise<string> {
  // The column of the last value has another name since PostgreSQL 17.
  const { rows } = await client.query<Record<'encoding' | 'collate' | 'ctype' | 'provider' | 'locale', string>>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, datcollate AS collate, datctype AS ctype, datlocprovider AS provider,
       coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') AS locale
     FROM pg_database d WHERE datname = current_database()`,
  );
  const { encoding = '', collate = '', ctype = '', provider, locale } = rows[0] ?? {};
  const text = pg.escapeLiteral;
  const common = `ENCODING ${text(encoding)} LC_COLLATE ${text(collate)} LC_CTYPE ${text(ctype)}`;
  if (provider === 'i') return `${common} LOCALE_PROVIDER icu ICU_LOCALE ${text(locale ?? '')}`;
  if (provider === 'b') return `${common} LOCALE_PROVIDER builtin BUILTIN_LOCALE ${text(locale ?? '')}`;
  return `${common} LOCALE_PROVIDER libc`;
}

async function withClient<T>(connectionString: string, log: Log, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 3_000,
    query_timeout: MAINTENANCE_LIMIT_MS,
  });
  client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
