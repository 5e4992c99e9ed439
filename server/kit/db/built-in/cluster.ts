import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Launcher } from './launcher.ts';
import { childEnv, isAlive } from './processes.ts';
import { CannotStart, type Programs, programIn } from './programs.ts';

export const SUPERUSER = 'postgres';

export interface Cluster {
  /** The folder that PostgreSQL calls its data directory. */
  folder: string;
  programs: Programs;
  launcher: Launcher;
  /** Of the superuser, where connections are made by TCP. In a private folder, a socket needs none. */
  password?: string | undefined;
}

/** Creates the cluster unless it exists. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const { folder, programs, launcher } = cluster;
  await removeUnfinished(folder);
  if (!existsSync(folder)) await createCluster(cluster);
  await ensureOwner(folder, launcher); // first: the version is in a file that only the owner can read
  requireVersion(folder, programs.major);
}

/** Undefined where the folder holds no cluster. */
export function clusterVersion(folder: string): number | undefined {
  const file = join(folder, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

/** A folder that only the account of the server can enter. */
export async function makePrivateFolder(folder: string, { owner }: Launcher): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (owner) await chown(folder, owner.uid, owner.gid);
}

/**
 * Under another name until it is complete and on the disk: after a crash there is no cluster or a whole one. Of two
 * processes that start together, one loses the race for the name and uses the cluster of the other.
 */
async function createCluster({ folder, programs, launcher, password }: Cluster) {
  const unfinished = `${folder}.new-${process.pid}`;
  const passwordFile = `${unfinished}-password`;
  const locale = programs.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const auth = password ? ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`] : ['-A', 'trust'];
  const options = ['-U', SUPERUSER, '-E', 'UTF8', '--locale=C.UTF-8', '--data-checksums', '--no-instructions'];
  try {
    await makePrivateFolder(unfinished, launcher);
    if (password) await writeFile(passwordFile, password, { mode: 0o600 });
    await run(launcher, programIn(programs, 'initdb'), ['-D', unfinished, ...options, ...locale, ...auth]);
    await rename(unfinished, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    const lostRace = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!lostRace) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

/** Removes what processes left that were killed while they created the cluster. */
async function removeUnfinished(folder: string) {
  const prefix = `${basename(folder)}.new-`;
  for (const name of readdirSync(dirname(folder)).filter((entry) => entry.startsWith(prefix))) {
    const creator = Number.parseInt(name.slice(prefix.length), 10);
    if (creator !== process.pid && isAlive(creator)) continue;
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function requireVersion(folder: string, major: number) {
  const version = clusterVersion(folder);
  if (version === undefined) {
    throw new CannotStart(
      `${folder} is not a PostgreSQL data folder. Rename it aside, or set DATA_DIR to another one.`,
    );
  }
  if (version === major) return;
  throw new CannotStart(
    `${folder} was written by PostgreSQL ${version}, and this is PostgreSQL ${major}. ` +
      `Stop here and run: npm run upgrade-database -- /folder/of/postgresql-${version}/bin`,
  );
}

/** PostgreSQL starts only on files of its own account. Root changes their owner; for any other user the error names the account to use. */
async function ensureOwner(folder: string, { owner }: Launcher) {
  const { uid } = statSync(folder);
  const required = owner?.uid ?? process.getuid?.() ?? uid;
  if (uid === required) return;
  if (!owner) {
    throw new CannotStart(`${folder} belongs to the user with the id ${uid}. Start Highstreet as that user.`);
  }
  const entries = await readdir(folder, { recursive: true });
  for (const path of [folder, ...entries.map((entry) => join(folder, entry))]) await chown(path, owner.uid, owner.gid);
}

function run(launcher: Launcher, program: string, programArgs: string[]): Promise<void> {
  const { command, args, options } = launcher.launch(program, programArgs);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, cwd: '/', env: childEnv(), stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new CannotStart(`${basename(program)} failed: ${output.trim().split('\n').slice(0, 3).join(' ')}`));
    });
  });
}

async function syncFolder(folder: string) {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
