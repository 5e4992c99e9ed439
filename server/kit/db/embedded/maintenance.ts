import type { Pool } from 'pg';
import type { Log } from '#server/kit/db/log.ts';

const CHECKPOINT_EVERY_MS = 5 * 60_000;
const NIGHT_HOUR = 3;

/** What PostgreSQL's background processes would do; the embedded engine has none. */
export function keepHouse(pool: Pool, engine: { readonly syncs: number }, log: Log) {
  let checkpointedAt = engine.syncs;
  const checkpoint = async () => {
    if (engine.syncs === checkpointedAt) return;
    await runUnhurried(pool, 'CHECKPOINT'); // bounds what a crash leaves to recover
    checkpointedAt = engine.syncs;
  };

  /** Table by table, so that people are served in between. */
  const vacuum = async () => {
    const { rows } = await pool.query<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    for (const { name } of rows) await runUnhurried(pool, `VACUUM (ANALYZE) ${name}`);
    await checkpoint();
  };

  const told = (work: () => Promise<void>, what: string) => () => {
    work().catch((error: unknown) => log.warn({ err: error }, `${what} failed; it is tried again in time`));
  };
  const checkpoints = setInterval(told(checkpoint, 'CHECKPOINT'), CHECKPOINT_EVERY_MS).unref();
  let night: NodeJS.Timeout;
  const waitForNight = () => {
    night = setTimeout(() => {
      told(vacuum, 'VACUUM')();
      waitForNight();
    }, msUntilNight(new Date())).unref();
  };
  waitForNight();

  return {
    checkpoint,
    vacuum,
    stop: () => {
      clearInterval(checkpoints);
      clearTimeout(night);
    },
  };
}

/** By the machine's own clock: its night is when nobody works on it. */
export function msUntilNight(now: Date): number {
  const night = new Date(now);
  night.setHours(NIGHT_HOUR, 0, 0, 0);
  if (night <= now) night.setDate(night.getDate() + 1);
  return night.getTime() - now.getTime();
}

async function runUnhurried(pool: Pool, statement: string) {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query(statement);
    await client.query('RESET statement_timeout');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
