import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openEmptyDatabase } from '#server/testing/databases.ts';
import { createLiveEvents, type LiveEvents, publish } from './live-events.ts';
import { createLog } from './log.ts';

const countEvents = (live: LiveEvents, userId: number) => {
  let count = 0;
  live.subscribe(userId, () => {
    count += 1;
  });
  return () => count;
};

test('an event reaches the subscribers of every process, also after a connection was terminated', async () => {
  const database = await openEmptyDatabase();
  const log = createLog('silent');
  const [one, two] = [await createLiveEvents(database, log), await createLiveEvents(database, log)];
  const [countInOne, countInTwo] = [countEvents(one, 7), countEvents(two, 7)];
  await publish(database.db, [7, 8]);
  await expect.poll(() => [countInOne(), countInTwo()]).toEqual([1, 1]);

  await database.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query ilike 'listen%' and datname = current_database()`);
  await expect
    .poll(
      async () => {
        await publish(database.db, [7]);
        return countInOne() > 1 && countInTwo() > 1;
      },
      { timeout: 10_000, interval: 200 },
    )
    .toBe(true);
  await one.close();
  await two.close();
  await database.close();
});

test('an event for more users than one NOTIFY payload holds reaches all of them', async () => {
  const database = await openEmptyDatabase();
  const live = await createLiveEvents(database, createLog('silent'));
  const count = countEvents(live, 2_000_001_200);
  await publish(
    database.db,
    Array.from({ length: 1_201 }, (_, i) => 2_000_000_000 + i),
  );
  await expect.poll(count).toBe(1);
  await live.close();
  await database.close();
});

test('a connection that refuses LISTEN, as a standby does, is closed before the next one is opened', async () => {
  const database = await openEmptyDatabase();
  let opened = 0;
  const newClient = () => {
    opened += 1;
    const client = database.newClient();
    const query = client.query.bind(client) as (text: string) => Promise<unknown>;
    // A standby runs every other statement.
    Object.assign(client, {
      query: (text: string) => query(text.startsWith('listen') ? 'select * from no_such_table' : text),
    });
    return client;
  };
  const live = await createLiveEvents({ newClient }, createLog('silent'), { reconnectMs: 20 });
  await expect.poll(() => opened, { timeout: 10_000 }).toBeGreaterThan(5);
  const others = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%no_such_table'`;
  expect((await database.pool.query(others)).rows[0].count).toBeLessThanOrEqual(2);
  expect(live.isListening()).toBe(false);
  await live.close();
  await database.close();
});
