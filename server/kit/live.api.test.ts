import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openEmptyDatabase } from '#server/testing/databases.ts';
import { announce, createLive } from './live.ts';
import { createLog } from './log.ts';

const heardBy = (live: Awaited<ReturnType<typeof createLive>>, userId: number) => {
  let count = 0;
  live.listen(userId, () => {
    count += 1;
  });
  return () => count;
};

test('what one process announces another hears, also after its connection was cut', async () => {
  const database = await openEmptyDatabase();
  const log = createLog('silent');
  const [one, two] = [await createLive(database, log), await createLive(database, log)];
  const [heardHere, heardThere] = [heardBy(one, 7), heardBy(two, 7)];
  await announce(database.db, [7, 8]);
  await expect.poll(() => [heardHere(), heardThere()]).toEqual([1, 1]);

  await database.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query ilike 'listen%' and datname = current_database()`);
  await expect
    .poll(
      async () => {
        await announce(database.db, [7]);
        return heardHere() > 1 && heardThere() > 1;
      },
      { timeout: 10_000, interval: 200 },
    )
    .toBe(true);
  await one.close();
  await two.close();
  await database.close();
});

test('more people than one message holds all hear it', async () => {
  const database = await openEmptyDatabase();
  const live = await createLive(database, createLog('silent'));
  const heard = heardBy(live, 2_000_001_200);
  await announce(
    database.db,
    Array.from({ length: 1_201 }, (_, i) => 2_000_000_000 + i),
  );
  await expect.poll(heard).toBe(1);
  await live.close();
  await database.close();
});

test('a connection on which LISTEN is refused, as by a standby, is closed before the next one is opened', async () => {
  const database = await openEmptyDatabase();
  let opened = 0;
  const newClient = () => {
    opened += 1;
    const client = database.newClient();
    const query = client.query.bind(client) as (text: string) => Promise<unknown>;
    // A standby answers every other statement.
    Object.assign(client, {
      query: (text: string) => query(text.startsWith('listen') ? 'select * from no_such_table' : text),
    });
    return client;
  };
  const live = await createLive({ newClient }, createLog('silent'), { reconnectMs: 20 });
  await expect.poll(() => opened, { timeout: 10_000 }).toBeGreaterThan(5);
  const others = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%no_such_table'`;
  expect((await database.pool.query(others)).rows[0].count).toBeLessThanOrEqual(2);
  expect(live.hears()).toBe(false);
  await live.close();
  await database.close();
});
