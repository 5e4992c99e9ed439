import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openEmptyDatabase } from '#server/testing/databases.ts';
import { createLiveEvents, type LiveEvents, type LiveMessage, publish } from './live-events.ts';
import { createLog } from './log.ts';

const countEvents = (live: LiveEvents, userId: number) => {
  let count = 0;
  const onMessage = () => {
    count += 1;
  };
  live.subscribe({ userId, audiences: ['staff'], onMessage });
  return () => count;
};

test('an event reaches the subscribers of every process, also after a connection was terminated', async () => {
  const database = await openEmptyDatabase();
  const log = createLog('silent');
  const [one, two] = [await createLiveEvents(database, log), await createLiveEvents(database, log)];
  const [countInOne, countInTwo] = [countEvents(one, 7), countEvents(two, 7)];
  await publish(database.db, { topic: 'x', users: [7, 8] });
  await expect.poll(() => [countInOne(), countInTwo()]).toEqual([1, 1]);

  await database.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query ilike 'listen%' and datname = current_database()`);
  await expect
    .poll(
      async () => {
        await publish(database.db, { topic: 'x', users: [7] });
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
  const users = Array.from({ length: 1_201 }, (_, i) => 2_000_000_000 + i);
  await publish(database.db, { topic: 'x', users });
  await expect.poll(count).toBe(1);
  await live.close();
  await database.close();
});

test('a subscriber gets a message to an audience and to a user once, with its content', async () => {
  const database = await openEmptyDatabase();
  const live = await createLiveEvents(database, createLog('silent'));
  const received: [string, LiveMessage][] = [];
  const subscribe = (name: string, userId: number, audiences: string[]) =>
    live.subscribe({ userId, audiences, onMessage: (message) => void received.push([name, message]) });
  subscribe('member', 7, ['staff']);
  subscribe('other', 8, []);
  const leave = subscribe('gone', 9, ['staff']);
  leave();
  await publish(database.db, { topic: 'x', users: [], audience: 'nothing' });
  await publish(database.db, { topic: 'x', users: [7], audience: 'staff', content: { 7: [1] } });
  await publish(database.db, { topic: 'y', users: [8] });
  await expect.poll(() => received.length).toBe(2);
  expect(received).toEqual([
    ['member', { topic: 'x', users: [7], audience: 'staff', content: { 7: [1] } }],
    ['other', { topic: 'y', users: [8] }],
  ]);
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
