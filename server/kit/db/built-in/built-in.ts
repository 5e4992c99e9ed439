import { closeSync, existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyName } from '#server/kit/db/database-copy.ts';
import type { Log } from '#server/kit/log.ts';
import { ensureCluster, makePrivateFolder } from './cluster.ts';
import { freeBytes, watchFreeSpace } from './free-space.ts';
import { chooseLauncher, type Launcher } from './launcher.ts';
import { inUse, type Ownership, takeOwnership, tryOwnership } from './ownership.ts';
import { ensurePassword, PRODUCT, passwordFile, readPassword } from './password.ts';
import { startPostmaster } from './postmaster.ts';
import { CannotStart, findPrograms } from './programs.ts';
import {
  connectSuperuser,
  findRunning,
  lockCluster,
  removeStaleFiles,
  type ServerAddress,
  socketPath,
  toUrl,
} from './running-server.ts';
import { serverSettings } from './settings.ts';
import { superviseServer } from './supervisor.ts';

const MIB = 1024 * 1024;
const MIN_FREE_MIB = 500;
const WARN_FREE_MIB = 2048;
const SOCKET_PATH_LIMIT = 103; // bytes, the shortest limit of the systems that PostgreSQL runs on
const WRONG_PASSWORD = '28P01';
const CONNECT_MS = 30_000;

interface BuiltInOptions {
  dataDir: string;
  log: Log;
  /** The folder of PostgreSQL's programs; without it, those of the npm package. */
  postgresBin?: string | undefined;
  /** Over our own settings: a test does not need to survive a power cut. */
  settings?: Record<string, string>;
}

export interface BuiltIn {
  databaseUrl: string;
  /** Whether the disk has room for changes. */
  hasFreeSpace: () => boolean;
  close: () => Promise<void>;
}

/** Holds the new cluster while `npm run upgrade-database` copies into it. */
export const UPGRADE_FOLDER = 'upgrading';

export const clusterFolder = (dataDir: string) => join(dataDir, 'postgres');

/** Starts the PostgreSQL server of this data folder as a child process, and keeps it running. */
export async function startBuiltIn(options: BuiltInOptions): Promise<BuiltIn> {
  const dataDir = await prepareDataDir(options.dataDir);
  return startOwned({ ...options, dataDir }, takeOwnership(dataDir));
}

/** For commands that work beside a running product: its server or, where none runs, one that is started until `close`. */
export function joinOrStartBuiltIn(options: BuiltInOptions): Promise<BuiltIn> {
  return openBuiltIn(options, tryOwnership);
}

/** For commands that need the database for themselves: refuses while a product runs. */
export function openBuiltInAlone(options: BuiltInOptions): Promise<BuiltIn> {
  return openBuiltIn(options, takeOwnership);
}

async function openBuiltIn(options: BuiltInOptions, own: (dataDir: string) => Ownership | undefined) {
  const dataDir = await prepareDataDir(options.dataDir);
  const ownership = own(dataDir);
  const cluster = clusterFolder(dataDir);
  const running = await findRunning(cluster, readPassword(dataDir) ?? '').catch((error: unknown) => {
    ownership?.release();
    throw error;
  });
  if (running) {
    const close = async () => ownership?.release();
    return { databaseUrl: toUrl(running), hasFreeSpace: watchFreeSpace(dataDir), close };
  }
  if (!ownership) throw inUse(dataDir, ', but no database answers on its socket');
  return startOwned({ ...options, dataDir }, ownership);
}

async function startOwned(options: BuiltInOptions, ownership: Ownership): Promise<BuiltIn> {
  const { dataDir, log, settings, postgresBin } = options;
  const folder = clusterFolder(dataDir);
  let cleanUp = async () => ownership.release();
  try {
    requireRoom(dataDir, log);
    const programs = await findPrograms(postgresBin);
    const launcher = chooseLauncher(programs, dataDir, folder, log);
    const cluster = { folder, programs, launcher };
    // Before the owner of its files is changed: a server may still run on them, in another container.
    if (launcher.owner && existsSync(folder)) closeSync(await lockCluster(folder, readPassword(dataDir) ?? '', log));
    await ensureCluster(cluster);
    const { socketFolder, remove } = await chooseSocketFolder(dataDir, launcher);
    cleanUp = () => remove().finally(ownership.release);
    const address: ServerAddress = { socketFolder, password: readPassword(dataDir) ?? '' };

    const start = async () => {
      const lock = await lockCluster(folder, address.password, log);
      try {
        removeStaleFiles(folder, address);
        address.password = await ensurePassword(cluster, dataDir);
        return await startPostmaster({
          cluster: folder,
          programs,
          launcher,
          settings: { ...serverSettings(socketFolder, programs.major), ...settings },
          lock,
          log,
        });
      } finally {
        closeSync(lock); // the server has it
      }
    };
    const supervisor = await superviseServer(start, log);
    cleanUp = () => supervisor.close().then(remove).finally(ownership.release);
    await createRoleAndDatabase(address, dataDir);
    return { databaseUrl: toUrl(address), hasFreeSpace: watchFreeSpace(dataDir), close: cleanUp };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

async function prepareDataDir(dataDir: string): Promise<string> {
  // As root the server has another account, which has to pass through.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const folder = realpathSync(dataDir);
  if (!existsSync(clusterFolder(folder))) requireUnused(folder);
  return folder;
}

function requireRoom(dataDir: string, log: Log) {
  const freeMiB = Math.floor(freeBytes(dataDir) / MIB);
  if (freeMiB < MIN_FREE_MIB) {
    throw new CannotStart(
      `Only ${freeMiB} MB are free for ${dataDir}; at least ${MIN_FREE_MIB} MB are needed to start.`,
    );
  }
  if (freeMiB < WARN_FREE_MIB) log.warn({ freeMiB }, 'the disk of the data folder is nearly full');
}

/** Data that is not in its usual place must not be taken for no data. */
function requireUnused(folder: string) {
  if (existsSync(join(folder, 'database', 'PG_VERSION'))) {
    throw new CannotStart(
      `${folder} holds the database of a development version, which this version cannot read. Set DATA_DIR to another ` +
        'folder. To keep its leads, export them with the former version and import the file into this one.',
    );
  }
  if (existsSync(clusterFolder(join(folder, UPGRADE_FOLDER)))) {
    throw new CannotStart(`An upgrade of ${folder} was interrupted. Run npm run upgrade-database again.`);
  }
}

/** Beside the cluster, or in a short private folder where that path is too long for a socket. */
async function chooseSocketFolder(dataDir: string, launcher: Launcher) {
  const beside = join(dataDir, 'run');
  if (fitsSocket(beside)) {
    await makePrivateFolder(beside, launcher);
    return { socketFolder: beside, remove: async () => {} };
  }
  const shortName = 'highstreet-123456'; // as long as those that mkdtemp makes
  const parent = fitsSocket(join(tmpdir(), shortName)) ? tmpdir() : '/tmp';
  const short = await mkdtemp(join(parent, 'highstreet-'));
  await makePrivateFolder(short, launcher);
  return { socketFolder: short, remove: () => rm(short, { recursive: true, force: true }) };
}

const fitsSocket = (socketFolder: string) =>
  Buffer.byteLength(socketPath({ socketFolder, password: '' })) <= SOCKET_PATH_LIMIT;

/**
 * The product is not the superuser of its own server: a flaw in a query cannot read files or run programs. It may create
 * databases, in which backups and upgrades are tried out.
 */
async function createRoleAndDatabase(address: ServerAddress, dataDir: string) {
  // It is our own, and has started: on a busy machine connecting may take a while.
  const client = await connectSuperuser(address, CONNECT_MS).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== WRONG_PASSWORD) throw error;
    throw new CannotStart(
      `The database in ${clusterFolder(dataDir)} has another password than ${passwordFile(dataDir)}. ` +
        'Delete that file and start again: a new password is set.',
    );
  });
  try {
    const { rows: roles } = await client.query('select rolcreatedb from pg_roles where rolname = $1', [PRODUCT]);
    const password = client.escapeLiteral(address.password);
    if (!roles.length) await client.query(`create role ${PRODUCT} login createdb password ${password}`);
    else if (!roles[0].rolcreatedb) await client.query(`alter role ${PRODUCT} createdb`);
    const { rowCount: databases } = await client.query('select 1 from pg_database where datname = $1', [PRODUCT]);
    if (!databases) await client.query(`create database ${PRODUCT} owner ${PRODUCT}`);
    await client.query(`drop database if exists ${copyName(PRODUCT)} with (force)`); // of an upgrade that was killed
  } finally {
    await client.end();
  }
}
