import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { checkBackup } from '#server/backup/file/read-backup.ts';
import { SchemaTooNew } from '#server/kit/db/migrate.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { dataFolder, endAll } from '#server/testing/built-in.ts';
import { openDatabase, startServer, stop } from '#server/testing/child-server.ts';
import { quiet, scratchFolder } from '#server/testing/databases.ts';
import { listBackupFiles } from './backup-folder.ts';

const MOMENTS = 10;
const BUSINESSES = 20_000;
const FORMER = readdirSync(MIGRATIONS).length;

afterEach(endAll);

/** The migrations of a next release: two that change every business, and an index between them. */
function nextRelease(): string {
  const folder = scratchFolder('next-release');
  cpSync(MIGRATIONS, folder, { recursive: true });
  const files = [
    'alter table businesses add column next integer not null default 0; update businesses set next = 1;',
    '-- no transaction\ncreate index concurrently if not exists businesses_next_idx on businesses (next);\n',
    'update businesses set next = 2;',
  ];
  files.forEach((text, nth) => {
    writeFileSync(join(folder, `${String(FORMER + nth + 1).padStart(4, '0')}_next.sql`), text);
  });
  return folder;
}

/** Runs the upgrade; with a moment, kills it so long after its beginning. Returns how long it ran. */
async function upgrade(dataDir: string, migrationsDir: string, killAfterMs?: number) {
  const program = fileURLToPath(new URL('../testing/upgrade-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataDir, migrationsDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  let begunAt = 0;
  createInterface(child.stdout).on('line', (line) => {
    begunAt ||= performance.now();
    lines.push(line);
  });
  if (killAfterMs !== undefined) {
    while (!begunAt) await pause(5);
    await pause(killAfterMs);
    child.kill('SIGKILL');
  }
  const [code] = await exited;
  return { code, lines, ms: performance.now() - begunAt };
}

const open = (dataDir: string, migrationsDir: string) =>
  openConfigured(readEnv({ DATA_DIR: dataDir }), { migrationsDir, log: quiet });

/** What is there after the next start of the former release or, where that is refused, of the new one. */
async function readState(dataDir: string, migrationsDir: string) {
  const former = await open(dataDir, MIGRATIONS).catch((error: unknown) => {
    if (error instanceof SchemaTooNew) return undefined;
    throw error;
  });
  const { pool, close } = former ?? (await open(dataDir, migrationsDir));
  const read = async (text: string) => (await pool.query(text)).rows;
  const [{ schema }] = await read('select max(version) as schema from schema_migrations');
  const isNew = schema > FORMER;
  const state = {
    schema,
    businesses: await read(`select count(*)::int, ${isNew ? 'next' : 'null'} as next from businesses group by 2`),
    columns: await read(
      "select attname from pg_attribute where attrelid = 'businesses'::regclass and attname = 'next'",
    ),
    indexes: await read("select indisvalid from pg_index where indexrelid = to_regclass('businesses_next_idx')"),
    databases: await read("select datname from pg_database where datname like 'highstreet%'"),
  };
  await close();
  return state;
}

const OLD = {
  schema: FORMER,
  businesses: [{ count: BUSINESSES, next: null }],
  columns: [],
  indexes: [],
  databases: [{ datname: 'highstreet' }],
};
const NEW = {
  schema: FORMER + 3,
  businesses: [{ count: BUSINESSES, next: 2 }],
  columns: [{ attname: 'next' }],
  indexes: [{ indisvalid: true }],
  databases: [{ datname: 'highstreet' }],
};

test(`kill -9 during an upgrade, at ${MOMENTS} moments: the former state or the new one, and the next start works`, async () => {
  const migrationsDir = nextRelease();
  const original = dataFolder('before-upgrade');
  const database = await openDatabase(original);
  await database.db.execute(
    sql`insert into businesses (place_id, name) select 'place ' || n, 'Shop ' || n from generate_series(1, ${BUSINESSES}::int) n`,
  );
  await database.close();
  const copyOfOriginal = (name: string) => {
    const folder = dataFolder(name);
    cpSync(original, folder, { recursive: true });
    return folder;
  };

  const undisturbed = copyOfOriginal('upgraded');
  const { code, lines, ms } = await upgrade(undisturbed, migrationsDir);
  expect({ code, last: lines.at(-1) }).toEqual({ code: 0, last: 'applied 3' });
  expect(await readState(undisturbed, migrationsDir)).toEqual(NEW);

  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const dataDir = copyOfOriginal(`killed-${moment}`);
    await upgrade(dataDir, migrationsDir, (ms * (moment + 0.5)) / MOMENTS);

    const state = await readState(dataDir, migrationsDir);
    expect(state).toEqual(state.schema === FORMER ? OLD : NEW);
    for (const { name } of await listBackupFiles(join(dataDir, 'backups')))
      expect((await checkBackup(join(dataDir, 'backups', name))).counts.businesses).toBe(BUSINESSES);
  }
  // What a killed upgrade left is not in the way of the next.
  const again = copyOfOriginal('killed-then-upgraded');
  await upgrade(again, migrationsDir, ms / 4);
  const product = await startServer(again);
  await stop(product.child);
  expect((await upgrade(again, migrationsDir)).code).toBe(0);
  expect(await readState(again, migrationsDir)).toEqual(NEW);
}, 400_000);
