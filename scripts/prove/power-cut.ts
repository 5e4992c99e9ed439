import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type BuiltIn, clusterFolder, startBuiltIn } from '#server/kit/db/built-in/built-in.ts';
import { familyOf } from '../bench/cpu-time.ts';
import { type Proof, withCleanUp } from './proof.ts';
import { createRandom } from './random.ts';

const IMAGES = 15;
const WRITERS = 8;
const DISK = '1200M';
const quiet = { info: () => {}, warn: () => {}, error: console.error };

/**
 * The data folder is on a file system inside an image file. What that file holds while the server stands still is what a
 * disk would hold after a power cut: everything that was synced, and of the rest what the kernel had written by chance.
 */
export const powerCut: Proof = {
  says: `The built-in database after a power cut, ${IMAGES} times at any moment: it starts, its tables and indexes are whole, and everything acknowledged is there (as root, to mount images). power-cut [images]`,
  run: ([images = String(IMAGES)], checks) =>
    withCleanUp(async (later) => {
      if (process.getuid?.() !== 0) throw new Error('this proof mounts images and needs root');
      const folder = mkdtempSync(join(tmpdir(), 'highstreet-power-'));
      later(() => rmSync(folder, { recursive: true, force: true }));
      const { faults, rows } = await cutPower(folder, Number(images), {});
      checks.holds(
        `${images} power cuts: it starts, both tables and their indexes are whole, every acknowledged row is there`,
        !faults.length,
        faults[0] ?? `${rows} rows`,
      );
      const control = await cutPower(folder, 2, { fsync: 'off' });
      checks.holds(
        'the same without syncing loses rows or does not start, so there was something to lose',
        control.faults.length > 0,
        control.faults[0]?.slice(0, 120),
      );
    }),
};

/** Writes, cuts and looks, as often as asked, on one disk; returns what was wrong. */
async function cutPower(folder: string, images: number, settings: Record<string, string>) {
  const random = createRandom(Date.now());
  const disk = mountImage(folder, 'disk', (file) => {
    execFileSync('truncate', ['--size', DISK, file]);
    execFileSync('mkfs.ext4', ['-q', file]);
  });
  const faults: string[] = [];
  const server = await startBuiltIn({ dataDir: disk.data, log: quiet, settings });
  const writing = startWriting(server);
  try {
    for (let cut = 1; cut <= images; cut += 1) {
      await wait(500 + random.below(1_500));
      // A checkpoint now and then, so that cuts fall into one as well.
      if (random.below(3) === 0) void writing.pool.query('CHECKPOINT').catch(() => {});
      await wait(random.below(60));
      const copy = join(folder, 'cut');
      const acknowledged = await whileFrozen(disk.data, writing.acknowledged, () => copyStill(disk.file, copy));
      const fault = await look(folder, acknowledged).catch((error: Error) => `does not start: ${error.message}`);
      if (fault) faults.push(`cut ${cut}: ${fault}`);
      rmSync(copy);
    }
  } finally {
    await writing.stop();
    await server.close();
    disk.unmount();
    rmSync(disk.file);
  }
  return { faults, rows: writing.acknowledged.size };
}

function mountImage(folder: string, name: string, prepare: (file: string) => void) {
  const [file, mountPoint] = [join(folder, name), join(folder, `${name}-mounted`)];
  prepare(file);
  mkdirSync(mountPoint, { recursive: true });
  execFileSync('mount', ['-o', 'loop', file, mountPoint]);
  return { file, data: join(mountPoint, 'data'), unmount: () => execFileSync('umount', [mountPoint]) };
}

function startWriting({ databaseUrl }: BuiltIn) {
  const superuser = Object.assign(new URL(databaseUrl), { username: 'postgres', pathname: '/postgres' });
  const pool = new pg.Pool({ connectionString: superuser.href, max: WRITERS + 1 });
  pool.on('error', () => {}); // the query under way reports it
  const acknowledged = new Set<number>();
  let over = false;
  const prepared = pool.query(`CREATE TABLE kept (id serial PRIMARY KEY, body text);
    CREATE TABLE also_kept (id integer PRIMARY KEY, body text)`);
  const write = async () => {
    await prepared;
    while (!over) {
      const { rows } = await pool.query(`
        WITH row AS (INSERT INTO kept (body) VALUES (repeat('kept', 200)) RETURNING id)
        INSERT INTO also_kept SELECT id, repeat('kept', 200) FROM row RETURNING id`);
      acknowledged.add(rows[0].id);
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  return {
    pool,
    acknowledged,
    stop: async () => {
      over = true;
      await Promise.all(writers);
      await pool.end();
    },
  };
}

/** Stops every process of the server, does the work, and lets them go on; returns what was acknowledged until then. */
async function whileFrozen(dataDir: string, acknowledged: Set<number>, work: () => void): Promise<number[]> {
  const postmaster = Number.parseInt(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8'), 10);
  const processes = familyOf(postmaster);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes) process.kill(pid, name);
  };
  signal('SIGSTOP');
  try {
    await wait(20); // answers that were sent already arrive
    const soFar = [...acknowledged];
    work();
    return soFar;
  } finally {
    signal('SIGCONT');
  }
}

/** The kernel may be writing: the copy counts when a second look finds the same. */
function copyStill(file: string, copy: string) {
  for (let tries = 0; tries < 20; tries += 1) {
    execFileSync('cp', ['--sparse=always', file, copy]);
    try {
      execFileSync('cmp', ['--silent', file, copy]);
      return;
    } catch {
      // It has changed meanwhile.
    }
  }
  throw new Error('the disk does not come to rest');
}

/** What is wrong with the disk after a power cut. */
async function look(folder: string, acknowledged: number[]): Promise<string | undefined> {
  const cut = mountImage(folder, 'cut', () => {});
  try {
    const server = await startBuiltIn({ dataDir: cut.data, log: { ...quiet, error: () => {} } });
    const superuser = Object.assign(new URL(server.databaseUrl), { username: 'postgres', pathname: '/postgres' });
    const client = new pg.Client({ connectionString: superuser.href });
    await client.connect();
    try {
      await client.query('CREATE EXTENSION IF NOT EXISTS amcheck');
      await client.query("SELECT bt_index_check('kept_pkey', true), bt_index_check('also_kept_pkey', true)");
      const { rows } = await client.query<{ id: number }>('SELECT id FROM kept JOIN also_kept USING (id, body)');
      const { rows: counts } = await client.query(
        'SELECT (SELECT count(*)::int FROM kept) AS kept, (SELECT count(*)::int FROM also_kept) AS also',
      );
      if (counts[0].kept !== rows.length || counts[0].also !== rows.length) return `half a transaction: ${counts[0]}`;
      const found = new Set(rows.map(({ id }) => id));
      const lost = acknowledged.filter((id) => !found.has(id));
      return lost.length ? `${lost.length} of ${acknowledged.length} acknowledged rows are lost` : undefined;
    } finally {
      await client.end();
      await server.close();
    }
  } finally {
    cut.unmount();
  }
}
