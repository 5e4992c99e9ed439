import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { MIGRATIONS, ROOT } from '#server/paths.ts';
import { users } from '#server/schema/users.ts';
import { dataFolder, endAll } from '#server/testing/built-in.ts';
import { quiet } from '#server/testing/databases.ts';

const POSTGRES_15 = '/usr/lib/postgresql/15/bin';

afterEach(endAll);

const open = (dataDir: string, POSTGRES_BIN?: string) =>
  openConfigured(readEnv({ DATA_DIR: dataDir, POSTGRES_BIN }), { migrationsDir: MIGRATIONS, log: quiet });

async function upgrade(dataDir: string, ...programs: string[]) {
  const args = ['--import', 'tsx', 'scripts/upgrade-database.ts', 'upgrade-database', ...programs];
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, TMPDIR: '/tmp' };
  return promisify(execFile)(process.execPath, args, { cwd: ROOT, env }).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  );
}

test.runIf(existsSync(POSTGRES_15))(
  'a database of an older major version is carried over, and the old one is kept',
  async () => {
    const dataDir = dataFolder('upgraded');
    const old = await open(dataDir, POSTGRES_15);
    await old.db.insert(users).values({ username: 'ada', email: 'a@example.test', fullName: 'Ada', password: 'x' });
    await old.close();

    await expect(open(dataDir)).rejects.toThrow(
      /written by PostgreSQL 15, and this is PostgreSQL 18\. Run once: npm run upgrade-database$/,
    );
    expect(await upgrade(dataDir, '/nowhere')).toMatch(/^The database was not upgraded: PostgreSQL does not run from/);
    // The programs of the former version are found where the system has them.
    expect(await upgrade(dataDir)).toMatch(/Copied 1 users and 0 leads.*\n.*postgres-15.*\n.*PostgreSQL 18 now/);

    expect(readdirSync(dataDir).sort()).toEqual(['owner', 'postgres', 'postgres-15', 'postgres-password', 'run']);
    expect(readFileSync(join(clusterFolder(dataDir), 'PG_VERSION'), 'utf8')).toBe('18\n');
    const upgraded = await open(dataDir);
    expect((await upgraded.db.select().from(users)).map(({ username }) => username)).toEqual(['ada']);
    await upgraded.close();
    expect(await upgrade(dataDir, POSTGRES_15)).toMatch(/has the version that this release runs/);
  },
  120_000,
);

test('an upgrade that was interrupted before its last step is not taken for an empty folder, and is finished', async () => {
  const dataDir = dataFolder('interrupted');
  const database = await open(dataDir);
  await database.db.insert(users).values({ username: 'ada', email: 'a@example.test', fullName: 'Ada', password: 'x' });
  await database.close();
  mkdirSync(join(dataDir, 'upgrading'));
  renameSync(clusterFolder(dataDir), clusterFolder(join(dataDir, 'upgrading')));

  await expect(open(dataDir)).rejects.toThrow(/upgrade .* was interrupted. Run npm run upgrade-database again/);
  expect(await upgrade(dataDir)).toMatch(/PostgreSQL 18 now/);
  const finished = await open(dataDir);
  expect(await finished.db.$count(users)).toBe(1);
  await finished.close();
}, 120_000);
