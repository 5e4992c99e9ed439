import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';

const NOT_ALLOWED = '42501';
const IN_USE = '55006';
const SESSION_END_MS = 2_000;
const POLL_MS = 50;

/** PostgreSQL cuts names off after 63 bytes. */
export const copyName = (database: string) => `${database.slice(0, 50)}_upgrade`;

/** Copies the database of this connection, its only one, on the same server. The copy is dropped after the work. */
export async function withDatabaseCopy<T>(
  client: ClientBase,
  databaseUrl: string,
  work: (copyUrl: string) => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const name = rows[0]?.name ?? '';
  const copy = copyName(name);
  const drop = () => client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(copy)} WITH (FORCE)`);
  let result: T;
  try {
    await drop(); // that of a process that was killed
    await copyDatabase(client, name, copy);
    result = await work(Object.assign(new URL(databaseUrl), { pathname: `/${copy}` }).href);
  } catch (error) {
    await drop().catch(() => {}); // the first error says what is wrong
    throw error;
  }
  await drop();
  return result;
}

/** As files, at the speed of the disk: the other strategy writes every page to the log as well. */
async function copyDatabase(client: ClientBase, name: string, copy: string) {
  const [from, to] = [name, copy].map((each) => client.escapeIdentifier(each));
  await client.query(`CREATE DATABASE ${to} TEMPLATE ${from} STRATEGY FILE_COPY`).catch((error: unknown) => {
    throw explain(error);
  });
}

function explain(error: unknown): Error {
  const { code, message } = error as { code?: string; message: string };
  if (code === IN_USE) return databaseInUse();
  if (code === NOT_ALLOWED)
    return new Error('the account of DATABASE_URL may not create databases, and needs a copy: ALTER ROLE … CREATEDB');
  return new Error(`the database could not be copied: ${message}`, { cause: error });
}

/** Refuses while another session uses the database of this connection. One that was just closed ends a moment later. */
export async function requireNoOtherSession(client: ClientBase) {
  for (const deadline = Date.now() + SESSION_END_MS; await hasOtherSession(client); await pause(POLL_MS))
    if (Date.now() > deadline) throw databaseInUse();
}

async function hasOtherSession(client: ClientBase): Promise<boolean> {
  // Processes of the server itself have no user.
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()`,
  );
  return Boolean(rowCount);
}

const databaseInUse = () =>
  new Error('another program uses the database: stop every Highstreet, and whatever else is connected to it');
