import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '#server/kit/log.ts';
import { ensureCluster, makePrivateFolder } from './cluster.ts';
import { freeBytes, watchFreeSpace } from './free-space.ts';
import { chooseLauncher, type Launcher } from './launcher.ts';
import { startPostmaster } from './postmaster.ts';
import { CannotStart, findPrograms } from './programs.ts';
import { findServer, inUse, type ServerAddress, stopOrphan, superuserClient, takeOwnership } from './running-server.ts';
import { serverSettings } from './settings.ts';
import { superviseServer } from './supervisor.ts';

const MIB = 1024 * 1024;
const MIN_FREE_MIB = 500;
const WARN_FREE_MIB = 2048;
/** The role and the database of the product; the superuser is for creating them alone. */
const NAME = 'highstreet';
const SOCKET_PATH_LIMIT = 103; // bytes, the shortest limit of the systems that PostgreSQL runs on
const SOCKET_PORT = 5432;

export interface BuiltInOptions {
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
export async function startBuiltIn({ log, settings, postgresBin, ...options }: BuiltInOptions): Promise<BuiltIn> {
  const dataDir = await prepareDataDir(options.dataDir, log);
  const folder = clusterFolder(dataDir);
  const programs = await findPrograms(postgresBin);
  const launcher = chooseLauncher(programs, dataDir, folder);
  const password = passwordIn(dataDir);
  await ensureCluster({ folder, programs, launcher, password });
  const { address, cleanUp } = await chooseAddress(dataDir, launcher, password);
  const server = { ...serverSettings(address, programs.major), ...settings };

  const start = async () => {
    await stopOrphan(folder, address, log);
    const postmaster = await startPostmaster({ cluster: folder, programs, launcher, settings: server, log });
    const { owner, holder } = await takeOwnership(address);
    if (!owner) {
      await postmaster.stop();
      throw inUse(folder, holder);
    }
    return { exited: postmaster.exited, stop: () => owner.end().then(postmaster.stop, postmaster.stop) };
  };
  try {
    const supervisor = await superviseServer(start, log);
    const close = () => supervisor.close().then(cleanUp);
    await createRoleAndDatabase(address).catch((error: unknown) => close().then(() => Promise.reject(error)));
    return { databaseUrl: toUrl(address), hasFreeSpace: watchFreeSpace(dataDir), close };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** For commands: the server of a running product, or else one that is started until `close`. */
export async function joinOrStartBuiltIn(options: BuiltInOptions): Promise<BuiltIn> {
  const folder = clusterFolder(options.dataDir);
  const running = existsSync(folder) ? findServer(realpathSync(folder), passwordIn(options.dataDir)) : undefined;
  const found = running && (await takeOwnership(running.address).catch(() => undefined));
  if (running && found && !found.owner) {
    return {
      databaseUrl: toUrl(running.address),
      hasFreeSpace: watchFreeSpace(options.dataDir),
      close: async () => {},
    };
  }
  await found?.owner?.end();
  return startBuiltIn(options);
}

async function prepareDataDir(dataDir: string, log: Log): Promise<string> {
  // As root the server has another account, which has to pass through.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const folder = realpathSync(dataDir);
  if (!existsSync(clusterFolder(folder))) requireUnused(folder);
  const freeMiB = Math.floor(freeBytes(folder) / MIB);
  if (freeMiB < MIN_FREE_MIB) {
    throw new CannotStart(
      `Only ${freeMiB} MB are free for ${folder}; at least ${MIN_FREE_MIB} MB are needed to start.`,
    );
  }
  if (freeMiB < WARN_FREE_MIB) log.warn({ freeMiB }, 'the disk of the data folder is nearly full');
  return folder;
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

/** Windows has no socket files that only their owner can open, so connections there need a password. */
function passwordIn(dataDir: string): string | undefined {
  if (process.platform !== 'win32') return undefined;
  const file = join(dataDir, 'postgres-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

async function chooseAddress(dataDir: string, launcher: Launcher, password: string | undefined) {
  if (password) return { address: { host: '127.0.0.1', port: await freePort(), password }, cleanUp: async () => {} };
  const beside = join(dataDir, 'run');
  if (fitsSocket(beside)) {
    await makePrivateFolder(beside, launcher);
    return { address: { host: beside, port: SOCKET_PORT }, cleanUp: async () => {} };
  }
  const shortName = 'highstreet-123456'; // as long as those that mkdtemp makes
  const parent = fitsSocket(join(tmpdir(), shortName)) ? tmpdir() : '/tmp';
  const short = await mkdtemp(join(parent, 'highstreet-'));
  await makePrivateFolder(short, launcher);
  return { address: { host: short, port: SOCKET_PORT }, cleanUp: () => rm(short, { recursive: true, force: true }) };
}

const fitsSocket = (folder: string) => Buffer.byteLength(`${folder}/.s.PGSQL.${SOCKET_PORT}`) <= SOCKET_PATH_LIMIT;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** The product is not the superuser of its own server: a flaw in a query cannot read files or run programs. */
async function createRoleAndDatabase(address: ServerAddress) {
  const client = superuserClient(address);
  await client.connect();
  try {
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [NAME]);
    if (rows.length) return;
    const { rowCount: roles } = await client.query('select 1 from pg_roles where rolname = $1', [NAME]);
    const secret = address.password ? ` password ${client.escapeLiteral(address.password)}` : '';
    if (!roles) await client.query(`create role ${NAME} login${secret}`);
    await client.query(`create database ${NAME} owner ${NAME}`);
  } finally {
    await client.end();
  }
}

function toUrl({ host, port, password }: ServerAddress): string {
  if (password) return `postgres://${NAME}:${password}@${host}:${port}/${NAME}`;
  return `postgres://${NAME}@localhost:${port}/${NAME}?host=${encodeURIComponent(host)}`;
}
