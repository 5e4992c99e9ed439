import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, quiet, scratchFolder } from '#server/testing/databases.ts';
import { classifyFault } from './faults.ts';
import { openDatabase } from './open.ts';
import { MAINTENANCE_LIMIT_MS } from './postgres.ts';

let databaseUrl: string;
let folder: string;
const open = (url = databaseUrl) => openDatabase({ databaseUrl: url, migrationsDir: folder, log: quiet });
/** The URL of the database at another host, also where the tests connect through a socket file. */
const urlAt = (host: string) => {
  const url = Object.assign(new URL(databaseUrl), { host });
  url.searchParams.delete('host');
  return url.href;
};

beforeEach(async () => {
  databaseUrl = await createEmptyDatabase();
  folder = scratchFolder('migrations');
  writeFileSync(join(folder, '0001_one.sql'), 'CREATE TABLE one (id integer); SELECT pg_sleep(0.2);');
  writeFileSync(join(folder, '0002_two.sql'), 'CREATE TABLE two (id integer);');
});

test('four processes that start together migrate once', async () => {
  const migrated: object[] = [];
  const log = { ...quiet, info: (details: object) => 'applied' in details && migrated.push(details) };
  const databases = await Promise.all(
    [1, 2, 3, 4].map(() => openDatabase({ databaseUrl, migrationsDir: folder, log })),
  );
  const responses = await Promise.all(databases.map((database) => database.isReachable()));
  await Promise.all(databases.map((database) => database.close()));

  expect(responses).toEqual([true, true, true, true]);
  expect(migrated).toEqual([{ applied: [1, 2] }]);
});

test("every connection has the product's settings", async () => {
  const database = await open();
  const setting = async (name: string) =>
    (await database.pool.query(`SHOW ${name}`)).rows[0][name.toLowerCase()] as string;

  expect(await setting('statement_timeout')).toBe('15s');
  expect(await setting('lock_timeout')).toBe('5s');
  expect(await setting('idle_in_transaction_session_timeout')).toBe('30s');
  expect((await database.pool.query("SELECT current_setting('TimeZone') AS zone")).rows).toEqual([{ zone: 'UTC' }]);
  expect(await database.isReachable()).toBe(true);
  await database.close();
});

test('a connection that the server closes, in use or idle, does not end the process', async () => {
  const database = await open();
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  const terminateConnections = () =>
    other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );

  const sleeping = database.db.transaction(async (tx) => {
    await tx.execute('SELECT 1');
    await terminateConnections();
    await tx.execute('SELECT pg_sleep(5)');
  });
  const failure = await sleeping.catch((error: unknown) => error);
  await terminateConnections();
  await other.end();

  expect(classifyFault(failure)).toEqual({ kind: 'unavailable' });
  await expect.poll(() => database.isReachable().catch(() => false), { timeout: 5_000 }).toBe(true);
  await database.close();
});

test('a stopped server is reported within 5 s and used again when it is back', async () => {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const socketFolder = searchParams.get('host');
  const connectToServer = () =>
    socketFolder
      ? connect(join(socketFolder, `.s.PGSQL.${port || 5432}`))
      : connect(Number(port || 5432), hostname || '127.0.0.1');
  const sockets = new Set<Socket>();
  const startProxy = (listenPort: number) =>
    new Promise<Server>((listening) => {
      const proxy = createServer((caller) => {
        const target = connectToServer();
        for (const socket of [caller, target]) sockets.add(socket.on('error', () => {}));
        caller.pipe(target).pipe(caller);
      }).listen(listenPort, '127.0.0.1', () => listening(proxy));
    });
  const proxy = await startProxy(0);
  const { port: proxyPort } = proxy.address() as { port: number };
  const database = await open(urlAt(`127.0.0.1:${proxyPort}`));

  proxy.close();
  for (const socket of sockets) socket.destroy();
  const startedAt = Date.now();
  const failure = await database.isReachable().catch((error: unknown) => error);
  expect(classifyFault(failure)).toEqual({ kind: 'unavailable' });
  expect(Date.now() - startedAt).toBeLessThan(5_000);

  const restarted = await startProxy(proxyPort);
  await expect.poll(() => database.isReachable().catch(() => false), { timeout: 5_000 }).toBe(true);
  await database.close();
  restarted.close();
});

test('with an unreachable server the start fails at once', async () => {
  const failure = await open(urlAt('127.0.0.1:1')).catch((error: unknown) => error);

  expect(classifyFault(failure)).toEqual({ kind: 'unavailable' });
});

test('a query that takes longer than queryLimitMs is a time-out', async () => {
  const limited = await openDatabase({ databaseUrl, queryLimitMs: 100, log: quiet });
  const failure = await limited.pool.query('SELECT pg_sleep(0.5)').catch((error: unknown) => error);
  await limited.close();
  expect(classifyFault(failure)).toEqual({ kind: 'timeout' });

  const maintenance = await openDatabase({ databaseUrl, queryLimitMs: MAINTENANCE_LIMIT_MS, log: quiet });
  await maintenance.pool.query('SELECT pg_sleep(0.5)');
  expect(maintenance.pool.options.query_timeout).toBeGreaterThan(600_000);
  await maintenance.close();
});

test('a statement that the server cancels is a time-out', async () => {
  const database = await open();
  const failure = await database.db
    .transaction(async (tx) => {
      await tx.execute("SET LOCAL statement_timeout = '50ms'");
      await tx.execute('SELECT pg_sleep(5)');
    })
    .catch((error: unknown) => error);
  await database.close();
  expect(classifyFault(failure)).toEqual({ kind: 'timeout' });
});

test('while the disk is full, writes are refused before they reach the database, and reads continue', async () => {
  let free = false;
  const database = await openDatabase({ databaseUrl, migrationsDir: folder, hasFreeSpace: () => free, log: quiet });
  const insert = () => database.db.transaction((tx) => tx.execute('INSERT INTO one VALUES (1)'));
  expect(classifyFault(await insert().catch((error: unknown) => error))).toEqual({ kind: 'full' });
  expect((await database.db.execute('SELECT * FROM one')).rows).toEqual([]);
  free = true;
  await insert();
  expect((await database.db.execute('SELECT * FROM one')).rows).toHaveLength(1);
  await database.close();
});
