import { mkdirSync } from 'node:fs';
import pg from 'pg';
import type { Log } from '#server/kit/db/log.ts';
import { Engine } from './engine.ts';
import { lockDataDir } from './lock.ts';
import { keepHouse } from './maintenance.ts';
import type { Faults } from './messages.ts';
import { freeBytesIn } from './space.ts';
import { ensureStore, storeDirIn } from './store.ts';

const MIB = 1024 * 1024;

export type EmbeddedOptions = {
  dataDir: string;
  log: Log;
  /** Made by prepareTemplate: a new store is then a copy of it. */
  templateDir?: string | undefined;
  /** Off for throw-away stores only: commits then survive the process, not the machine. */
  sync?: boolean;
  statementLimitMs?: number;
  connectionTimeoutMillis?: number;
  idleInTransactionLimitMs?: number;
  refuseBelowFreeBytes?: number;
  warnBelowFreeBytes?: number;
  keepFreeBytes?: number;
  reserveBytes?: number;
  faults?: Faults;
};

/** Fit for people: say it and end. */
export class DatabaseWillNotOpen extends Error {
  override readonly name = 'DatabaseWillNotOpen';
}

export async function openEmbedded(options: EmbeddedOptions) {
  const { dataDir, log, sync = true } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  checkFreeSpace(options);
  const lock = await lockDataDir(dataDir);
  try {
    const storeDir = storeDirIn(dataDir);
    await ensureStore(storeDir, options.templateDir);
    const engine = new Engine({
      storeDir,
      sync,
      statementLimitMs: options.statementLimitMs ?? 15_000,
      idleInTransactionLimitMs: options.idleInTransactionLimitMs ?? 30_000,
      space: { keepFreeBytes: options.keepFreeBytes ?? 64 * MIB, reserveBytes: options.reserveBytes ?? 48 * MIB },
      faults: options.faults,
      log,
    });
    await openOrExplain(engine, storeDir);
    if (sync && !engine.powerLossSafe) {
      await engine.close();
      throw new DatabaseWillNotOpen(
        'power-loss safe: no. A commit of the embedded database did not reach the disk, so a power cut could lose or ' +
          'damage data; it stays closed. Install the exact versions of package-lock.json (npm ci), or set DATABASE_URL.',
      );
    }
    const pool = new pg.Pool({
      user: 'postgres',
      database: 'postgres',
      max: 1, // the engine has one session
      connectionTimeoutMillis: options.connectionTimeoutMillis ?? 10_000,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: 0,
      stream: engine.connect as unknown as () => never, // `pg` uses of a socket only what an EngineStream has
    });
    const house = keepHouse(pool, engine, log);
    return {
      pool,
      powerLossSafe: async () => engine.powerLossSafe,
      vacuum: house.vacuum,
      close: async () => {
        house.stop();
        await pool.end();
        await engine.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openOrExplain(engine: Engine, storeDir: string) {
  try {
    await engine.open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseWillNotOpen(
      `The embedded database in ${storeDir} does not open (${reason}). Nothing was deleted or reset. ` +
        'Keep a copy of that folder; to start again, rename it aside and restore a backup.',
      { cause: error },
    );
  }
}

function checkFreeSpace({ dataDir, log, ...options }: EmbeddedOptions) {
  const { refuseBelowFreeBytes = 500 * MIB, warnBelowFreeBytes = 2048 * MIB } = options;
  const free = freeBytesIn(dataDir);
  const freeMiB = Math.floor(free / MIB);
  if (free < refuseBelowFreeBytes) {
    const needed = Math.ceil(refuseBelowFreeBytes / MIB);
    throw new DatabaseWillNotOpen(
      `Only ${freeMiB} MB are free for ${dataDir}; at least ${needed} MB are needed to start.`,
    );
  }
  if (free < warnBelowFreeBytes) log.warn({ freeMiB }, 'Little room is left on the disk of the data folder');
}
