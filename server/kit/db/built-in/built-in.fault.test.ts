import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { type Child, dataFolder, endAll, postmasterPid, startChild } from '#server/testing/built-in.ts';
import { quiet } from '#server/testing/databases.ts';
import { joinOrStartBuiltIn, startBuiltIn } from './built-in.ts';

const ROUNDS = 4;
const WRITES = 300;
const asRoot = process.getuid?.() === 0;
const user = asRoot ? { uid: 65_534, gid: 65_534 } : undefined;
const POSTGRES_15 = '/usr/lib/postgresql/15/bin';

afterEach(endAll);

const readIds = (child: Child) => JSON.parse(child.lines.find((line) => line.startsWith('open '))?.slice(5) ?? '[]');
const acknowledgedBy = (child: Child) =>
  child.lines.filter((line) => line.startsWith('kept ')).map((line) => Number(line.slice(5)));

async function stop(child: Child) {
  child.process.stdin?.end();
  expect(await child.exited, child.errors.join()).toBe(0);
}

function requireNothingLost(acknowledged: number[], found: number[]) {
  const there = new Set(found);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
}

test(`kill -9 of the product while 8 write, ${ROUNDS} times: nothing acknowledged is lost, the orphan is stopped`, async () => {
  const dataDir = dataFolder('killed');
  const acknowledged: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const child = startChild(dataDir, { task: 'write' });
    await child.reported('open ');
    requireNothingLost(acknowledged, readIds(child));
    await child.reported('kept ', WRITES);
    await pause(Math.random() * 20);
    const orphan = postmasterPid(dataDir);
    child.process.kill('SIGKILL');
    await child.exited;
    acknowledged.push(...acknowledgedBy(child));
    expect(postmasterPid(dataDir), 'the server outlives the product').toBe(orphan);
  }
  const last = startChild(dataDir);
  await last.reported('open ');
  requireNothingLost(acknowledged, readIds(last));
  await stop(last);
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
  const acknowledged = acknowledgedBy(child);
  child.process.kill('SIGKILL');
  await child.exited;
  const next = startChild(dataDir);
  await next.reported('open ');
  requireNothingLost(acknowledged, readIds(next));
  await stop(next);
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
  await stop(child);
  const next = startChild(dataDir);
  await next.reported('open ');
  requireNothingLost(acknowledgedBy(child), readIds(next));
}, 120_000);

test('a second product on the same folder refuses in one line, and the first goes on', async () => {
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

test('of two that start at once on a new folder, one serves and the other refuses', async () => {
  const dataDir = dataFolder('raced');
  const starters = [startChild(dataDir), startChild(dataDir)];
  const outcomes = await Promise.all(
    starters.map((child) =>
      child.reported('open ').then(
        () => 'serves',
        () => 'refuses',
      ),
    ),
  );
  expect(outcomes.sort()).toEqual(['refuses', 'serves']);
  expect(starters.flatMap(({ errors }) => errors).join('\n')).toMatch(/in use by|did not start|does not answer/);
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'run']);
}, 120_000);

test('a command beside the product uses its server, and starts one when there is none', async () => {
  const dataDir = dataFolder('beside');
  const child = startChild(dataDir);
  await child.reported('open ');
  const beside = await joinOrStartBuiltIn({ dataDir, log: quiet });
  expect(await countTables(beside.databaseUrl)).toBe(2);
  await beside.close();
  expect(postmasterPid(dataDir), 'the server of the product goes on').toBeDefined();
  await stop(child);

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
  const dataDir = dataFolder('half-made');
  const halfMade = join(dataDir, `postgres.new-${await pidOfEndedProcess()}`);
  mkdirSync(join(halfMade, 'base'), { recursive: true });
  writeFileSync(join(halfMade, 'PG_VERSION'), '18\n');
  const server = await startBuiltIn({ dataDir, log: quiet });
  await server.close();
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'run']);
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

test('the server listens on no network, keeps checksums, syncs its commits, and sees none of our secrets', async () => {
  const dataDir = dataFolder('settings');
  const child = startChild(dataDir);
  await child.reported('open ');
  const client = new pg.Client({
    connectionString: `postgres://highstreet@localhost:5432/highstreet?host=${encodeURIComponent(join(dataDir, 'run'))}`,
  });
  await client.connect();
  const names = ['listen_addresses', 'data_checksums', 'fsync', 'synchronous_commit', 'full_page_writes'];
  const { rows } = await client.query('select current_setting(name) as value from unnest($1::text[]) as name', [names]);
  expect(rows.map(({ value }) => value)).toEqual(['', 'on', 'on', 'on', 'on']);
  const { rows: role } = await client.query('select rolsuper from pg_roles where rolname = current_user');
  expect(role).toEqual([{ rolsuper: false }]);
  await client.end();
  expect(statSync(join(dataDir, 'run')).mode & 0o777).toBe(0o700);
  expect(readFileSync(`/proc/${postmasterPid(dataDir)}/environ`, 'utf8')).not.toContain('secret');
  await stop(child);
}, 120_000);

test('as an ordinary user it runs as that user', async () => {
  const dataDir = dataFolder('ordinary');
  if (user) {
    openTo(dataDir);
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, user.uid, user.gid);
  }
  const child = startChild(dataDir, { user });
  await child.reported('open ');
  const uid = user?.uid ?? process.getuid?.();
  expect(statSync(join(dataDir, 'postgres')).uid).toBe(uid);
  expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(uid);
  await stop(child);
}, 120_000);

test.runIf(asRoot)(
  'a folder of another user is refused with the way out',
  async () => {
    const dataDir = dataFolder('owned');
    await (await startBuiltIn({ dataDir, log: quiet })).close();
    execFileSync('chown', ['-R', '65533', dataDir]);
    chmodSync(dataDir, 0o777);
    openTo(dataDir);
    const child = startChild(dataDir, { user: { uid: 65_534, gid: 65_534 } });
    expect(await child.exited).toBe(1);
    expect(child.errors.join()).toMatch(
      /postgres belongs to the user with the id 65533. Start Highstreet as that user/,
    );
  },
  120_000,
);

test.runIf(asRoot)(
  'as root it runs under another account, also below a folder that others cannot enter',
  async () => {
    for (const mode of [0o755, 0o700]) {
      const dataDir = dataFolder(`root-${mode.toString(8)}`);
      openTo(dataDir);
      chmodSync(join(dataDir, '..'), mode);
      const child = startChild(dataDir, { task: 'write' });
      await child.reported('kept ', 20);
      await stop(child);
      const again = startChild(dataDir);
      await again.reported('open ');
      requireNothingLost(acknowledgedBy(child), readIds(again));
      await stop(again);
    }
  },
  120_000,
);

/** A container may have dropped these capabilities. */
const canKeepCapabilities =
  asRoot && spawnSync('setpriv', ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', 'true']).status === 0;

test.runIf(canKeepCapabilities)(
  'as root without user namespaces it runs under another account that may enter any folder',
  async () => {
    const dataDir = dataFolder('capabilities');
    openTo(dataDir);
    const above = join(dataDir, '..');
    chmodSync(above, 0o700);
    const programs = join(above, 'programs');
    mkdirSync(programs);
    for (const name of ['sh', 'id', 'setpriv']) {
      symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name));
    }
    const child = startChild(dataDir, { task: 'write', path: programs });
    await child.reported('kept ', 20);
    const { uid } = statSync(`/proc/${postmasterPid(dataDir)}`);
    expect(uid).not.toBe(0);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(uid);
    await stop(child);
    const again = startChild(dataDir, { path: programs });
    await again.reported('open ');
    requireNothingLost(acknowledgedBy(child), readIds(again));
    await stop(again);
  },
  120_000,
);

test.runIf(existsSync(POSTGRES_15))(
  'POSTGRES_BIN names other programs; their data folder is refused by a newer major version',
  async () => {
    const dataDir = dataFolder('other-programs');
    const old = startChild(dataDir, { postgresBin: POSTGRES_15 });
    await old.reported('open ');
    await stop(old);
    expect(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('15\n');
    const child = startChild(dataDir);
    expect(await child.exited).toBe(1);
    expect(child.errors.join()).toMatch(
      /written by PostgreSQL 15, and this is PostgreSQL 18.*npm run upgrade-database/,
    );
  },
  120_000,
);

test('missing programs give one line that names both alternatives', async () => {
  await expect(startBuiltIn({ dataDir: dataFolder('none'), log: quiet, postgresBin: '/nowhere' })).rejects.toThrow(
    /^PostgreSQL does not run from \/nowhere .*Set POSTGRES_BIN .* or DATABASE_URL/,
  );
});

/** Lets other users enter the folders above. */
function openTo(dataDir: string) {
  for (const above of ['..', '../..', '../../..']) chmodSync(join(dataDir, above), 0o755);
}

async function pidOfEndedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.once('close', resolve));
  return child.pid ?? 0;
}
