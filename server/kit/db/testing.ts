import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { engineVersion } from './embedded/store.ts';
import { prepareTemplate } from './embedded/template.ts';
import { type Database, type OpenOptions, openDatabase } from './open.ts';

// For tests of the database itself: databases with no schema in them.

const silent = () => {};
export const quiet = { info: silent, warn: silent, error: silent };

const SCRATCH = join(tmpdir(), 'highstreet-scratch');

/** A folder for this process alone. Test processes are killed rather than ended, so each removes those of the dead. */
export function scratchFolder(name: string): string {
  mkdirSync(SCRATCH, { recursive: true });
  for (const owner of readdirSync(SCRATCH)) {
    if (!lives(Number(owner))) rmSync(join(SCRATCH, owner), { recursive: true, force: true });
  }
  mkdirSync(join(SCRATCH, `${process.pid}`), { recursive: true });
  return mkdtempSync(join(SCRATCH, `${process.pid}`, `${name}-`));
}

function lives(processId: number) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** An empty store to copy. It is kept between test runs, as making one takes seconds. */
export async function blankTemplate(): Promise<string> {
  const template = join(tmpdir(), `highstreet-blank-${process.getuid?.() ?? 0}-${await engineVersion()}`);
  if (existsSync(template)) return template;
  await prepareTemplate(template, scratchFolder('no-migrations'));
  return template;
}

export async function blankEmbedded(options: Partial<OpenOptions> = {}): Promise<Database> {
  const dataDir = options.dataDir ?? scratchFolder('data');
  const rooms = { refuseBelowFreeBytes: 0, warnBelowFreeBytes: 0, reserveBytes: 0, keepFreeBytes: 0 };
  const patience = { connectionTimeoutMillis: 60_000 }; // tests run on busy machines
  return openDatabase({ log: quiet, templateDir: await blankTemplate(), ...rooms, ...patience, ...options, dataDir });
}

/** On the kind of database that this run is for. */
export async function blankDatabase(): Promise<Database> {
  if (process.env.TEST_DATABASE !== 'postgres') return blankEmbedded({ sync: false });
  return openDatabase({ databaseUrl: await blankPostgres(), dataDir: '', log: quiet });
}

/** The address of a new database on the server of TEST_DATABASE_URL. */
export async function blankPostgres(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL must name a PostgreSQL server on which databases can be created');
  const name = `highstreet_blank_${process.pid}_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
