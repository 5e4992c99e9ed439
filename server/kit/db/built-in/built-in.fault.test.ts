import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import {
  acknowledgedIds,
  dataFolder,
  endAll,
  postmasterPid,
  requireStored,
  startChild,
  stopChild,
} from '#server/testing/built-in.ts';
import { quiet } from '#server/testing/databases.ts';
import { joinOrStartBuiltIn, startBuiltIn } from './built-in.ts';

const ROUNDS = 4;
const WRITES = 300;
const POSTGRES_15 = '/usr/lib/postgresql/15/bin';

afterEach(endAll);

test(`kill -9 of the product while 8 write, ${ROUNDS} times: nothing acknowledged is lost, the orphan is stopped`, async () => {
  const dataDir = dataFolder('killed');
  const acknowledged: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const child = startChild(dataDir, { task: 'write' });
    await child.reported('open ');
    requireStored(acknowledged, child);
    await child.reported('kept ', WRITES);
    await pause(Math.random() * 20);
    const orphan = postmasterPid(dataDir);
    child.process.kill('SIGKILL');
    await child.exited;
    acknowledged.push(...acknowledgedIds(child));
    expect(postmasterPid(dataDir), 'the server outlives the product').toBe(orphan);
  }
  const last = startChild(dataDir);
  await last.reported('open ');
  requireStored(acknowledged, last);
  await stopChild(last);
  expect(postmasterPid(dataDir)).toBeUndefined();
}, 300_000);

test(`kill -9 of the server while 8 write, ${ROUNDS} times: it is started again and nothing acknowledged is lost`, async () => {
  const dataDir = dataFolder('server-killed');
  const child = startChild(dataDir, { task: 'write' });
  for (let round = 1; round <= ROUNDS; round += 1) {
    await child.reported('kept ', round * WRITES);
    const pid = postmasterPid(dataDir);
    process.kill(pid ?? 0, 'SIGKILL');
    const before = child.lines.length;
    await child.reported('kept ', before + WRITES);
    expect(postmasterPid(dataDir)).not.toBe(pid);
  }
  const acknowledged = acknowledgedIds(child);
  child.process.kill('SIGKILL');
  await child.exited;
  const next = startChild(dataDir);
  await next.reported('open ');
  requireStored(acknowledged, next);
  await stopChild(next);
}, 300_000);

test('killing one backend ends all connections for a moment, and nothing acknowledged is lost', async () => {
  const dataDir = dataFolder('backend-killed');
  const child = startChild(dataDir, { task: 'write' });
  await child.reported('kept ', WRITES);
  const server = postmasterPid(dataDir) ?? 0;
  const backends = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number);
  const backend = backends.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('highstreet highstreet'),
  );
  process.kill(backend ?? 0, 'SIGKILL');
  await child.reported('kept ', child.lines.length + WRITES);
  expect(postmasterPid(dataDir)).toBe(server);
  await stopChild(child);
  const next = startChild(dataDir);
  await next.reported('open ');
  requireStored(acknowledgedIds(child), next);
}, 120_000);

test('a second product on the same folder exits with one line, and the first keeps running', async () => {
  const dataDir = dataFolder('shared');
  const first = startChild(dataDir, { task: 'write' });
  await first.reported('kept ');
  const second = startChild(dataDir);
  expect(await second.exited).toBe(1);
  expect(second.errors).toEqual([
    expect.stringMatching(`postgres is in use by Highstreet, process ${first.process.pid} on .*set DATA_DIR`),
  ]);
  await first.reported('kept ', first.lines.length + 20);
}, 120_000);

test('of two products that start at once on a new folder, one runs and the other exits', async () => {
  const dataDir = dataFolder('raced');
  const starters = [startChild(dataDir), startChild(dataDir)];
  const outcomes = await Promise.all(
    starters.map((child) =>
      child.reported('open ').then(
        () => 'runs',
        () => 'exits',
      ),
    ),
  );
  expect(outcomes.sort()).toEqual(['exits', 'runs']);
  expect(starters.flatMap(({ errors }) => errors).join('\n')).toMatch(/in use by/);
  expect(readdirSync(dataDir).sort()).toEqual(['owner', 'postgres', 'postgres-password', 'run']);
}, 120_000);

test('a command uses the server of a running product, or starts one', async () => {
  const dataDir = dataFolder('command');
  const child = startChild(dataDir);
  await child.reported('open ');
  const shared = await joinOrStartBuiltIn({ dataDir, log: quiet });
  expect(await countTables(shared.databaseUrl)).toBe(2);
  await shared.close();
  expect(postmasterPid(dataDir), 'the server of the product keeps running').toBeDefined();
  await stopChild(child);

  const alone = await joinOrStartBuiltIn({ dataDir, log: quiet });
  expect(await countTables(alone.databaseUrl)).toBe(2);
  await alone.close();
  expect(postmasterPid(dataDir)).toBeUndefined();
}, 120_000);

async function countTables(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query("select count(*)::int as count from pg_tables where schemaname = 'public'");
  await client.end();
  return rows[0].count;
}

test('an unfinished cluster is created again', async () => {
  const dataDir = dataFolder('unfinished');
  const unfinished = join(dataDir, 'postgres.new');
  mkdirSync(join(unfinished, 'base'), { recursive: true });
  writeFileSync(join(unfinished, 'PG_VERSION'), '18\n');
  const server = await startBuiltIn({ dataDir, log: quiet });
  await server.close();
  expect(readdirSync(dataDir).sort()).toEqual(['owner', 'postgres', 'postgres-password', 'run']);
}, 120_000);

test('a process file with the id of another process, or an empty one, does not stop the start', async () => {
  const dataDir = dataFolder('stale');
  await (await startBuiltIn({ dataDir, log: quiet })).close();
  for (const content of [`${process.pid}\n${join(dataDir, 'postgres')}\n0\n5432\n${join(dataDir, 'run')}\n`, '']) {
    for (const file of ['postgres/postmaster.pid', 'run/.s.PGSQL.5432.lock']) {
      writeFileSync(join(dataDir, file), content, { mode: 0o600 });
    }
    await (await startBuiltIn({ dataDir, log: quiet })).close();
  }
}, 120_000);

test('a path that is too long for a socket gets a short private folder, which is removed with the server', async () => {
  const dataDir = join(dataFolder('long'), 'a'.repeat(120));
  const server = await startBuiltIn({ dataDir, log: quiet });
  const socketFolder = new URL(server.databaseUrl).searchParams.get('host') ?? '';
  expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
  expect(await countTables(server.databaseUrl)).toBe(0);
  await server.close();
  expect(existsSync(socketFolder)).toBe(false);
}, 120_000);

test('the server has no network port, has checksums, syncs its commits, and gets none of our secrets', async () => {
  const dataDir = dataFolder('settings');
  const child = startChild(dataDir);
  await child.reported('open ');
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8');
  const connection = { host: join(dataDir, 'run'), user: 'highstreet', database: 'highstreet' };
  const client = new pg.Client({ ...connection, password });
  await client.connect();
  const names = ['listen_addresses', 'data_checksums', 'fsync', 'synchronous_commit', 'full_page_writes'];
  const { rows } = await client.query('select current_setting(name) as value from unnest($1::text[]) as name', [names]);
  expect(rows.map(({ value }) => value)).toEqual(['', 'on', 'on', 'on', 'on']);
  const { rows: role } = await client.query('select rolsuper from pg_roles where rolname = current_user');
  expect(role).toEqual([{ rolsuper: false }]);
  await client.end();
  expect(statSync(join(dataDir, 'run')).mode & 0o777).toBe(0o700);
  expect(readFileSync(`/proc/${postmasterPid(dataDir)}/environ`, 'utf8')).not.toContain('secret');
  await stopChild(child);
}, 120_000);

test.runIf(existsSync(POSTGRES_15))(
  'POSTGRES_BIN names other programs; their data folder is refused by a newer major version',
  async () => {
    const dataDir = dataFolder('other-programs');
    const old = startChild(dataDir, { postgresBin: POSTGRES_15 });
    await old.reported('open ');
    await stopChild(old);
    expect(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('15\n');
    const child = startChild(dataDir);
    expect(await child.exited).toBe(1);
    expect(child.errors.join()).toMatch(
      /written by PostgreSQL 15, and this is PostgreSQL 18.*npm run upgrade-database/,
    );
  },
  120_000,
);

test('missing programs are one error that names both alternatives', async () => {
  await expect(startBuiltIn({ dataDir: dataFolder('none'), log: quiet, postgresBin: '/nowhere' })).rejects.toThrow(
    /^PostgreSQL does not run from \/nowhere .*Set POSTGRES_BIN .* or DATABASE_URL/,
  );
});
