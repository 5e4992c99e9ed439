import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clusterFolder, startBuiltIn } from '#server/kit/db/built-in/built-in.ts';
import { type Defer, temporaryFolder, withCleanup } from '../measure/cleanup.ts';
import { openPool } from '../measure/database.ts';
import { postmasterId, signalTree } from '../measure/processes.ts';
import type { Proof } from './proof.ts';

const WRITERS = 8;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * The data folder is on a file system inside an image file. While the server is suspended, that file holds what a disk
 * holds after a power cut: everything that was synced, and whatever else the kernel had written by chance.
 */
export const powerCut: Proof = {
  description: 'The built-in database after power cuts at any moment (as root, to mount images). power-cut [cuts=15]',
  async run([cuts = '15'], checks) {
    const { faults, rows } = await cutPower(Number(cuts), {});
    checks.check(
      `${cuts} power cuts: it starts, tables and indexes are consistent, every acknowledged row is stored`,
      !faults.length,
      faults[0] ?? `${rows} rows`,
    );
    const control = await cutPower(2, { fsync: 'off' });
    checks.check('without fsync the same test finds faults', control.faults.length > 0, control.faults[0]);
  },
};

const cutPower = (cuts: number, settings: Record<string, string>) =>
  withCleanup(async (defer) => {
    const folder = temporaryFolder(defer);
    const image = join(folder, 'disk');
    execFileSync('truncate', ['--size', '1200M', image]);
    execFileSync('mkfs.ext4', ['-q', image]);
    const dataDir = mountImage(defer, folder, 'disk');
    const server = await startBuiltIn({ dataDir, log: quiet, settings });
    defer(server.close);
    const { pool, acknowledged } = await startWriting(defer, superuserUrl(server.databaseUrl));
    const faults: string[] = [];
    for (let cut = 1; cut <= cuts; cut += 1) {
      await wait(500 + 1_500 * Math.random());
      // Some cuts have to fall into a checkpoint.
      if (cut % 3 === 0) void pool.query('checkpoint').catch(() => {});
      await wait(60 * Math.random());
      const expected = await whileSuspended(postmasterId(clusterFolder(dataDir)), () => {
        copyImage(image, join(folder, 'cut'));
        return [...acknowledged];
      });
      const fault = await findFault(folder, expected).catch((error: Error) => `does not start: ${error.message}`);
      if (fault) faults.push(`cut ${cut}: ${fault}`);
    }
    return { faults, rows: acknowledged.size };
  });

/** Mounts an image file of the folder; returns the data folder in it. */
function mountImage(defer: Defer, folder: string, name: string): string {
  const mountPoint = join(folder, `${name}-mounted`);
  mkdirSync(mountPoint, { recursive: true });
  execFileSync('mount', ['-o', 'loop', join(folder, name), mountPoint]);
  defer(() => execFileSync('umount', [mountPoint]));
  return join(mountPoint, 'data');
}

const superuserUrl = (databaseUrl: string) =>
  Object.assign(new URL(databaseUrl), { username: 'postgres', pathname: '/postgres' }).href;

/** Writers that insert into two tables in one transaction. */
async function startWriting(defer: Defer, url: string) {
  const pool = openPool(defer, url, WRITERS + 1);
  const acknowledged = new Set<number>();
  let stopped = false;
  await pool.query(
    'create table one (id serial primary key, body text); create table two (id integer primary key, body text)',
  );
  const write = async () => {
    while (!stopped) {
      const { rows } = await pool.query<{ id: number }>(
        `with row as (insert into one (body) values (repeat('text', 200)) returning id)
         insert into two select id, repeat('text', 200) from row returning id`,
      );
      acknowledged.add(rows[0]?.id ?? 0);
    }
  };
  const writing = Array.from({ length: WRITERS }, write);
  defer(() => {
    stopped = true;
    return Promise.all(writing);
  });
  return { pool, acknowledged };
}

async function whileSuspended<T>(processId: number, work: () => T): Promise<T> {
  signalTree(processId, 'SIGSTOP');
  try {
    await wait(20); // responses that were already sent arrive
    return work();
  } finally {
    signalTree(processId, 'SIGCONT');
  }
}

/** The kernel may still be writing, so the copy is repeated until it equals the image. */
function copyImage(image: string, copy: string) {
  for (let tries = 0; tries < 20; tries += 1) {
    execFileSync('cp', ['--sparse=always', image, copy]);
    if (spawnSync('cmp', ['--silent', image, copy]).status === 0) return;
  }
  throw new Error('the image keeps changing');
}

/** What is wrong with the copied image. */
const findFault = (folder: string, expected: number[]): Promise<string | undefined> =>
  withCleanup(async (defer) => {
    defer(() => rmSync(join(folder, 'cut')));
    const server = await startBuiltIn({ dataDir: mountImage(defer, folder, 'cut'), log: quiet });
    defer(server.close);
    const pool = openPool(defer, superuserUrl(server.databaseUrl));
    await pool.query('create extension if not exists amcheck');
    await pool.query("select bt_index_check('one_pkey', true), bt_index_check('two_pkey', true)");
    const { rows } = await pool.query<{ id: number; complete: boolean }>(
      'select id, one.body = two.body as complete from one full join two using (id)',
    );
    const stored = new Set(rows.map(({ id }) => id));
    const [half, lost] = [rows.filter(({ complete }) => !complete), expected.filter((id) => !stored.has(id))];
    if (half.length) return `${half.length} transactions are half stored`;
    return lost.length ? `${lost.length} of ${expected.length} acknowledged rows are lost` : undefined;
  });
