import type pg from 'pg';
import type { Log } from './log.ts';

const LOOK_MS = 250;
/** A connection that is used for longer is a reason to ask whether the server still speaks. */
const PATIENCE_MS = 1_000;
/** For a new connection to a server that is known to be silent. */
const SILENT_CONNECT_MS = 300;

/**
 * A server that is frozen, or to which packets are lost, ends no connection: who waits for an answer would wait for as
 * long as the longest statement may take. While somebody waits the server is asked by another connection, and when
 * that gets no answer either within its own limit, those who wait are told that the database is gone. From then on
 * nobody waits long for a connection, until it speaks again.
 */
export function watchForSilence(pool: pg.Pool, newClient: () => pg.Client, log: Log): () => void {
  const used = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => used.set(client, performance.now()));
  pool.on('release', (_error, client) => used.delete(client));
  pool.on('remove', (client) => used.delete(client));
  const usualConnectMs = pool.options.connectionTimeoutMillis;
  let [asking, silent] = [false, false];

  const look = async () => {
    const now = performance.now();
    const waiting = [...used].filter(([, since]) => now - since > PATIENCE_MS).map(([client]) => client);
    if (asking || !(waiting.length || silent)) return;
    asking = true;
    silent = !(await responses(newClient()));
    asking = false;
    pool.options.connectionTimeoutMillis = silent ? SILENT_CONNECT_MS : usualConnectMs;
    const still = waiting.filter((client) => used.has(client));
    if (!silent) for (const client of still) used.set(client, performance.now());
    else if (still.length) {
      log.warn({ connections: still.length }, 'the database is silent: its connections are given up');
      for (const client of still) cutOff(client);
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** A refusal is an answer too: a server that starts, or has no connection to spare, is there. */
async function responses(client: pg.Client): Promise<boolean> {
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    return /^[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '');
  } finally {
    client.end().catch(() => {});
  }
}

/** Ending a client that waits for an answer destroys its socket; the driver then fails what is under way. */
function cutOff(client: pg.PoolClient) {
  (client as unknown as pg.Client).end().catch(() => {});
}
