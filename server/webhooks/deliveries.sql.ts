import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import {
  DELIVERIES_PER_PAGE,
  type DeliveriesToSend,
  type Delivery,
  type DeliveryDetail,
  type DeliveryState,
  MAX_SENT_AGAIN,
} from '#contract/webhooks/delivery.ts';
import { TEST_EVENT } from '#contract/webhooks/webhook-event.ts';
import type { Db } from '#server/kit/db/db.ts';
import { webhookDeliveries, webhookEvents } from '#server/schema/webhooks.ts';
import { releaseNext } from './send-due.sql.ts';
import { toBody, toMessageId } from './to-body.ts';

const { id, webhookId, eventId, leadId, state, attempts, nextAttemptAt, log } = webhookDeliveries;
const { type, at, data, messageId } = webhookEvents;

const selectDeliveries = (db: Db) =>
  db
    .select({ id, leadId, state, attempts, nextAttemptAt, log, type, at, data, messageId })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, eventId))
    .$dynamic();

type Row = Awaited<ReturnType<typeof selectDeliveries>>[number];

function toDelivery({ log: tried, ...row }: Row): Delivery {
  const { answer: _, ...last } = tried.at(-1) ?? { answer: '' };
  return {
    ...{ id: row.id, type: row.type, leadId: row.leadId, at: row.at, state: row.state, attempts: row.attempts },
    last: 'at' in last ? last : null,
    nextAttemptAt: row.state === 'due' ? row.nextAttemptAt : null,
  };
}

interface Page {
  state?: DeliveryState | undefined;
  before?: number | undefined;
}

export async function listDeliveries(db: Db, ofWebhook: string, page: Page) {
  const rows = await selectDeliveries(db)
    .where(
      and(
        eq(webhookId, ofWebhook),
        page.state && eq(state, page.state),
        page.before === undefined ? undefined : lt(id, page.before),
      ),
    )
    .orderBy(desc(id))
    .limit(DELIVERIES_PER_PAGE + 1);
  const items = rows.slice(0, DELIVERIES_PER_PAGE).map(toDelivery);
  return { items, next: rows.length > DELIVERIES_PER_PAGE ? (items.at(-1)?.id ?? null) : null };
}

export async function findDelivery(
  db: Db,
  { id: ofWebhook, url }: { id: string; url: string },
  deliveryId: number,
): Promise<DeliveryDetail | undefined> {
  const [row] = await selectDeliveries(db).where(and(eq(webhookId, ofWebhook), eq(id, deliveryId)));
  if (!row) return undefined;
  const request = { url, id: toMessageId(row), body: toBody(row) };
  return { ...toDelivery(row), request, log: row.log.toReversed() };
}

export async function insertTest(tx: Db, ofWebhook: string): Promise<void> {
  await tx.insert(webhookEvents).values({ type: TEST_EVENT, data: {}, webhookId: ofWebhook });
}

const hasEnded = inArray(state, ['delivered', 'failed']);

/**
 * Opens ended deliveries again, the oldest first, as if they had not been tried. The caller holds the order: later ones of a
 * lead wait for earlier ones once more.
 */
export async function openAgain(tx: Db, ofWebhook: string, which: DeliveriesToSend) {
  const chosen = await tx
    .select({ id })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, eventId))
    .where(and(eq(webhookId, ofWebhook), hasEnded, isChosen(which)))
    .orderBy(eventId)
    .limit(MAX_SENT_AGAIN + 1);
  const ids = chosen.slice(0, MAX_SENT_AGAIN).map((delivery) => delivery.id);
  const opened = await tx
    .update(webhookDeliveries)
    .set({
      state: sql`case when ${leadId} is null then 'due' else 'waiting' end`,
      attempts: 0,
      nextAttemptAt: sql`now()`,
    })
    .where(and(sql`${id} = any (${sql.param(ids)}::bigint[])`, hasEnded))
    .returning({ leadId });
  await releaseNext(tx, ofWebhook, [...new Set(opened.flatMap((delivery) => delivery.leadId ?? []))]);
  return { count: opened.length, more: chosen.length > MAX_SENT_AGAIN };
}

function isChosen(which: DeliveriesToSend): SQL | undefined {
  if ('ids' in which) return sql`${id} = any (${sql.param(which.ids)}::bigint[])`;
  const inRange = sql`${at} >= ${which.from} and ${at} < ${which.to}`;
  return which.only === 'failed' ? and(inRange, eq(state, 'failed')) : inRange;
}

/** What is open of a webhook that is switched on again is tried at once, in the order of each lead. */
export const retryNow = (tx: Db, ofWebhook: string) =>
  tx
    .update(webhookDeliveries)
    .set({ attempts: 0, nextAttemptAt: sql`now()` })
    .where(and(eq(webhookId, ofWebhook), eq(state, 'due')));
