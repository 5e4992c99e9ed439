import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLiveEvents } from '#server/kit/live-events.ts';
import { createLog } from '#server/kit/log.ts';
import { createEmptyDatabase, quiet } from '#server/testing/databases.ts';
import { classifyFault } from './faults.ts';
import { openDatabase } from './open.ts';

let line: Awaited<ReturnType<typeof lineTo>>;
let databaseUrl: string;
beforeEach(async () => {
  databaseUrl = await createEmptyDatabase();
  line = await lineTo(databaseUrl);
});
afterEach(() => line.close());
const open = () => openDatabase({ databaseUrl: line.url, log: quiet });

/** A proxy to the server that can stop forwarding, as when packets are lost: no connection is closed. */
async function lineTo(databaseUrl: string) {
  const server = new URL(databaseUrl);
  const folder = server.searchParams.get('host');
  const reach = () =>
    folder
      ? connect(join(folder, `.s.PGSQL.${server.port || 5432}`))
      : connect(Number(server.port || 5432), server.hostname);
  const sockets = new Set<Socket>();
  let frozen = false;
  let lines = 0;
  const proxy = createServer((caller) => {
    const made = lines;
    const dead = () => frozen || made !== lines;
    sockets.add(caller.on('error', () => {}));
    if (frozen) return;
    const target = reach().on('error', () => {});
    sockets.add(target);
    caller.on('data', (bytes) => dead() || target.write(bytes)).on('close', () => target.destroy());
    target.on('data', (bytes) => dead() || caller.write(bytes)).on('close', () => dead() || caller.destroy());
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const url = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(proxy.address() as { port: number }).port}` });
  url.searchParams.delete('host');
  return {
    url: url.href,
    freeze: () => {
      frozen = true;
    },
    /** What was connected when it froze stays dead; new connections come through. */
    thaw: () => {
      lines += 1;
      frozen = false;
    },
    close: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('queries to an unresponsive server fail within 5 s, and it is used again when it responds', async () => {
  const database = await open();
  await database.pool.query('SELECT 1');
  line.freeze();
  const askedAt = Date.now();
  const failures = await Promise.all(
    [1, 2, 3].map(() => database.pool.query('SELECT 1').catch((error: unknown) => classifyFault(error).kind)),
  );
  expect(failures).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(Date.now() - askedAt).toBeLessThan(5_000);
  const againAt = Date.now();
  await expect(database.pool.query('SELECT 1')).rejects.toThrow();
  expect(Date.now() - againAt).toBeLessThan(2_000);

  line.thaw();
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
  live.subscribe(7, () => {
    received += 1;
  });
  const notifier = await openDatabase({ databaseUrl, log: quiet });
  line.freeze();
  line.thaw();
  await expect
    .poll(
      async () => {
        await notifier.pool.query(`SELECT pg_notify('highstreet_live', '[7]')`);
        return received;
      },
      { timeout: 15_000, interval: 200 },
    )
    .toBeGreaterThan(0);
  await live.close();
  await notifier.close();
  await database.close();
});
