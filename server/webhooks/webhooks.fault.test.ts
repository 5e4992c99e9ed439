import { asc, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkUpdateStatus } from '#contract/leads/lead-lists.calls.ts';
import { createWebhook } from '#contract/webhooks/webhooks.calls.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { webhookDeliveries, webhookEvents } from '#server/schema/webhooks.ts';
import { firstAdmin, kill, startServer } from '#server/testing/child-server.ts';
import { createDatabase, quiet, scratchFolder, TEMPLATE_DATABASE } from '#server/testing/databases.ts';
import startTestServer from '#server/testing/test-server.ts';
import { startReceiver } from '#server/testing/webhooks/receiver.ts';

/** With more than the default it takes minutes. */
const CHANGES = Number(process.env.TEST_WEBHOOK_CHANGES || 1_000);
const CHANGES_OF_EACH = 20;
const LEADS = CHANGES / CHANGES_OF_EACH;
const KILLS = 4;
/** The default takes less than a quarter of this. */
const toTimeout = (milliseconds: number) => milliseconds * Math.max(1, CHANGES / 1_000);
/** Of one message: after ten failures it would be given up. */
const MAX_FAILURES = 4;

let database: Database;
let stopServer: () => Promise<void>;
let variables: Record<string, string>;
const dataDir = scratchFolder('webhooks');
beforeAll(async () => {
  stopServer = await startTestServer();
  const DATABASE_URL = await createDatabase('webhooks', TEMPLATE_DATABASE);
  database = await openDatabase({ databaseUrl: DATABASE_URL, log: quiet });
  const allowed = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' };
  variables = { DATABASE_URL, PLACES_PROVIDER: 'osm', ...allowed };
});
afterAll(async () => {
  await database.close();
  await stopServer();
});

test(
  'with kill -9, two processes and a receiver that fails half the time, each change arrives, in the order of its lead',
  async () => {
    const { db } = database;
    const startedAt = performance.now();
    const servers = [await startServer(dataDir, variables), await startServer(dataDir, variables)];
    const [first] = servers;
    const cookie = await firstAdmin(first?.url ?? '');
    const send = async (path: string, body: object) => {
      const headers = { cookie, 'content-type': 'application/json' };
      const response = await fetch(`${servers[0]?.url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(response.status, await response.text()).toBeLessThan(300);
    };
    const receiver = await startReceiver();
    const failures = new Map<string, number>();
    /** In the order of the answers. */
    const delivered: { id: string; leadId: number }[] = [];
    receiver.replyWith(({ id, json }) => {
      const failed = failures.get(id) ?? 0;
      if (Math.random() < 0.5 && failed < MAX_FAILURES) {
        failures.set(id, failed + 1);
        return { status: 500 };
      }
      delivered.push({ id, leadId: json.data.lead?.id ?? 0 });
      return { status: 200 };
    });
    await send(createWebhook.path, { url: receiver.url, events: ['lead.changed'] });

    const rows = Array.from({ length: LEADS }, (_, nth) => ({ placeId: `shop ${nth}`, name: `Shop ${nth}` }));
    const shops = await db.insert(businesses).values(rows).returning({ businessId: businesses.id });
    const held = await db
      .insert(leads)
      .values(shops.map((shop) => ({ ...shop, userId: 1 })))
      .returning({ id: leads.id });
    const ids = held.map(({ id }) => id);
    for (let nth = 0; nth < CHANGES_OF_EACH; nth += 1) {
      await send(bulkUpdateStatus.path, { ids, status: nth % 2 ? 'recontact' : 'in_progress' });
    }

    const total = ids.length * CHANGES_OF_EACH;
    const countDone = () => db.$count(webhookDeliveries, sql`state = 'delivered'`);
    // The time until the next attempt passes at once, of those that nobody is sending at the moment.
    const passTime = (
      where = sql`(jsonb_array_length(log) = attempts or next_attempt_at > now() + interval '61 seconds')`,
    ) =>
      db.execute(sql`update webhook_deliveries set next_attempt_at = now()
      where state = 'due' and next_attempt_at > now() and ${where}`);
    const countDoneLater = async () => {
      await passTime();
      return countDone();
    };
    for (let kills = 0; kills < KILLS; kills += 1) {
      await expect
        .poll(countDoneLater, { timeout: toTimeout(120_000), interval: 100 })
        .toBeGreaterThanOrEqual((total * (kills + 1)) / (KILLS + 2));
      const killed = servers.shift();
      if (killed) await kill(killed.child);
      servers.push(await startServer(dataDir, variables));
      await passTime(sql`true`);
    }
    await expect.poll(countDoneLater, { timeout: toTimeout(240_000), interval: 100 }).toBe(total);

    const events = await db
      .select({ id: sql<string>`'evt_' || ${webhookEvents.messageId}`, leadId: webhookEvents.leadId })
      .from(webhookEvents)
      .orderBy(asc(webhookEvents.id));
    expect(events).toHaveLength(total);
    const arrived = [...new Map(delivered.map((message) => [message.id, message])).values()];
    expect(arrived).toHaveLength(total);
    const orderOf = (messages: { id: string; leadId: number | null }[], lead: number) =>
      messages.filter(({ leadId }) => leadId === lead).map(({ id }) => id);
    for (const id of ids) expect(orderOf(arrived, id)).toEqual(orderOf(events, id));
    const known = new Set(events.map(({ id }) => id));
    expect(receiver.received.filter(({ id }) => !known.has(id))).toEqual([]);
    const twice = delivered.length - arrived.length;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.info(
      `${total} changes, ${receiver.received.length} requests, ${twice} delivered more than once, ${KILLS} kills, ${seconds} s`,
    );
    // A delivery is only repeated where its answer was lost: what a killed process was sending, and what time was passed for.
    expect(twice).toBeLessThanOrEqual(KILLS * 40);
    receiver.close();
    for (const { child } of servers) await kill(child);
  },
  toTimeout(600_000),
);
