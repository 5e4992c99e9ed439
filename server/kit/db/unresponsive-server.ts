import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '#server/kit/log.ts';

const CHECK_EVERY_MS = 250;
/** A connection that has been in use for longer is a reason to probe the server. */
const PROBE_AFTER_MS = 1_000;
/** The event loop stood still for so long during a probe. */
const BUSY_MS = 500;
const NS_PER_MS = 1_000_000;
/** After it, the monitor has counted a delay that just ended. */
const LAG_SAMPLE_MS = 50;
/** The connection time-out while the server is known to be unresponsive. */
const UNRESPONSIVE_CONNECT_MS = 300;

/**
 * A server that is frozen, or to which packets are lost, closes no connection: queries would wait for as long as the
 * longest statement may take. While a query waits, a second connection probes the server. When the probe times out too,
 * and no query has finished meanwhile, the waiting connections are closed, and new ones get a short time-out until the
 * server responds again.
 */
export function watchUnresponsiveServer(pool: pg.Pool, newProbe: () => pg.Client, log: Log): () => void {
  const usedSince = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => usedSince.set(client, performance.now()));
  let finished = 0;
  pool.on('release', (error, client) => {
    usedSince.delete(client);
    if (!error) finished += 1;
  });
  pool.on('remove', (client) => usedSince.delete(client));
  const defaultConnectMs = pool.options.connectionTimeoutMillis;
  let [probing, unresponsive] = [false, false];

  const check = async () => {
    const now = performance.now();
    const waiting = [...usedSince].filter(([, since]) => now - since > PROBE_AFTER_MS).map(([client]) => client);
    if (probing || !(waiting.length || unresponsive)) return;
    probing = true;
    const before = finished;
    // On a machine that is short of processor time, the probe may time out while others are served.
    unresponsive = !(await responds(newProbe())) && finished === before;
    probing = false;
    pool.options.connectionTimeoutMillis = unresponsive ? UNRESPONSIVE_CONNECT_MS : defaultConnectMs;
    const stillWaiting = waiting.filter((client) => usedSince.has(client));
    if (!unresponsive) for (const client of stillWaiting) usedSince.set(client, performance.now());
    else if (stillWaiting.length) {
      log.warn({ connections: stillWaiting.length }, 'the database does not respond: closing its connections');
      for (const client of stillWaiting) closeConnection(client);
    }
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * An error from the server is a response too: it is starting up, or has no connection to spare. A time-out while this process
 * was busy is no sign of the server: the response may have been there, unread.
 */
async function responds(client: pg.Client): Promise<boolean> {
  client.on('error', () => {});
  const lag = monitorEventLoopDelay();
  lag.enable();
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (/^[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '')) return true;
    await pause(LAG_SAMPLE_MS);
    return lag.max / NS_PER_MS > BUSY_MS;
  } finally {
    lag.disable();
    client.end().catch(() => {});
  }
}

/** Ending a client with a query under way destroys its socket; the driver then rejects the query. */
function closeConnection(client: pg.PoolClient) {
  (client as unknown as pg.Client).end().catch(() => {});
}
