import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLiveEvents } from '#server/kit/live-events.ts';
import { createLog } from '#server/kit/log.ts';
import { createEmptyDatabase, quiet } from '#server/testing/databases.ts';
import { classifyFault } from './faults.ts';
import { openDatabase } from './open.ts';
import { watchUnresponsiveServer } from './unresponsive-server.ts';

let proxy: Awaited<ReturnType<typeof startFreezableProxy>>;
let databaseUrl: string;
beforeEach(async () => {
  databaseUrl = await createEmptyDatabase();
  proxy = await startFreezableProxy(databaseUrl);
});
afterEach(() => proxy.close());
const open = () => openDatabase({ databaseUrl: proxy.url, log: quiet });

/** A proxy to the server that can stop forwarding, as when packets are lost: no connection is closed. */
async function startFreezableProxy(databaseUrl: string) {
  const server = new URL(databaseUrl);
  const folder = server.searchParams.get('host');
  const connectToServer = () =>
    folder
      ? connect(join(folder, `.s.PGSQL.${server.port || 5432}`))
      : connect(Number(server.port || 5432), server.hostname);
  const sockets = new Set<Socket>();
  let frozen = false;
  let generation = 0;
  const listener = createServer((caller) => {
    const ownGeneration = generation;
    const isFrozen = () => frozen || ownGeneration !== generation;
    sockets.add(caller.on('error', () => {}));
    if (frozen) return;
    const target = connectToServer().on('error', () => {});
    sockets.add(target);
    caller.on('data', (bytes) => isFrozen() || target.write(bytes)).on('close', () => target.destroy());
    target.on('data', (bytes) => isFrozen() || caller.write(bytes)).on('close', () => isFrozen() || caller.destroy());
  });
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
  const url = Object.assign(new URL(databaseUrl), {
    host: `127.0.0.1:${(listener.address() as { port: number }).port}`,
  });
  url.searchParams.delete('host');
  return {
    url: url.href,
    freeze: () => {
      frozen = true;
    },
    /** Connections that were open stay frozen; new ones are forwarded. */
    thaw: () => {
      generation += 1;
      frozen = false;
    },
    close: () => {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('queries to an unresponsive server fail within 5 s, and it is used again when it responds', async () => {
  const database = await open();
  await database.pool.query('SELECT 1');
  proxy.freeze();
  const startedAt = Date.now();
  const failures = await Promise.all(
    [1, 2, 3].map(() => database.pool.query('SELECT 1').catch((error: unknown) => classifyFault(error).kind)),
  );
  expect(failures).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  const retriedAt = Date.now();
  await expect(database.pool.query('SELECT 1')).rejects.toThrow();
  expect(Date.now() - retriedAt).toBeLessThan(2_000);

  proxy.thaw();
  await expect.poll(() => database.isReachable().catch(() => false), { timeout: 5_000 }).toBe(true);
  await database.close();
}, 30_000);

test('a slow query is not cancelled', async () => {
  const database = await open();
  const { rows } = await database.pool.query('SELECT 1 AS one, pg_sleep(3)');
  expect(rows[0].one).toBe(1);
  await database.close();
});

test('LISTEN moves to another connection when its own is lost without being closed', async () => {
  const database = await open();
  const live = await createLiveEvents(database, createLog('silent'), { checkMs: 600, checkTimeoutMs: 300 });
  let received = 0;
  const onMessage = () => {
    received += 1;
  };
  live.subscribe({ userId: 7, audiences: [], onMessage });
  const notifier = await openDatabase({ databaseUrl, log: quiet });
  proxy.freeze();
  proxy.thaw();
  await expect
    .poll(
      async () => {
        await notifier.pool.query(`SELECT pg_notify('highstreet_live', '{"topic":"x","users":[7]}')`);
        return received;
      },
      { timeout: 15_000, interval: 200 },
    )
    .toBeGreaterThan(0);
  await live.close();
  await notifier.close();
  await database.close();
});

test('a probe that times out while this process is busy closes no connection', async () => {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  const stop = watchUnresponsiveServer(
    pool,
    () => {
      setImmediate(() => {
        for (const end = performance.now() + 1_500; performance.now() < end; );
      });
      return new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 1_000 });
    },
    quiet,
  );
  try {
    expect((await pool.query("select 'done' as state from pg_sleep(1.8)")).rows).toEqual([{ state: 'done' }]);
  } finally {
    stop();
    await pool.end();
  }
});

test('a start whose first connection is not made in time tries again', async () => {
  proxy.freeze();
  const opening = open();
  await new Promise((later) => setTimeout(later, 1_000));
  proxy.thaw();
  const database = await opening;
  expect(await database.isReachable()).toBe(true);
  await database.close();
});

test('a server that never answers fails the start', async () => {
  proxy.freeze();
  await expect(open()).rejects.toThrow('connection timeout');
});
