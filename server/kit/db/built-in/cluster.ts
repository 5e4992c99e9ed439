import { existsSync, readFileSync, statSync } from 'node:fs';
import { chown, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Launcher } from './launcher.ts';
import { runProgram } from './processes.ts';
import { CannotStart, type Programs, programIn } from './programs.ts';

export const SUPERUSER = 'postgres';

export interface Cluster {
  /** The folder that PostgreSQL calls its data directory. */
  folder: string;
  programs: Programs;
  launcher: Launcher;
}

/** Creates the cluster unless it exists. Only the owner of the data folder does this. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const { folder, programs, launcher } = cluster;
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

/** Under another name until it is complete and on the disk: after a crash there is no cluster or a whole one. */
async function createCluster({ folder, programs, launcher }: Cluster) {
  const unfinished = `${folder}.new`;
  const locale = programs.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const options = ['-U', SUPERUSER, '-E', 'UTF8', '--locale=C.UTF-8', '--data-checksums', '--no-instructions'];
  await rm(unfinished, { recursive: true, force: true }); // of a start that was killed
  await makePrivateFolder(unfinished, launcher);
  try {
    // The password is set, and asked for, before a server runs on it.
    await runProgram(launcher, programIn(programs, 'initdb'), ['-D', unfinished, ...options, ...locale, '-A', 'trust']);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(folder));
}

function requireVersion(folder: string, major: number) {
  const version = clusterVersion(folder);
  if (version === undefined) {
    throw new CannotStart(
      `${folder} is not a PostgreSQL data folder. Rename it aside, or set DATA_DIR to another one.`,
    );
  }
  if (version === major) return;
  const advice =
    version < major
      ? 'Run once: npm run upgrade-database'
      : `Start the Highstreet that wrote it, or set POSTGRES_BIN to the programs of PostgreSQL ${version}.`;
  throw new CannotStart(`${folder} was written by PostgreSQL ${version}, and this is PostgreSQL ${major}. ${advice}`);
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

async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
