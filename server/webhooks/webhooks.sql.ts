import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { OLD_KEY_HOURS, type Webhook, type WebhookSettings } from '#contract/webhooks/webhook.ts';
import type { Db } from '#server/kit/db/db.ts';
import { savedViews } from '#server/schema/views.ts';
import { webhookDeliveries, webhooks } from '#server/schema/webhooks.ts';

export type StoredWebhook = typeof webhooks.$inferSelect;

/** Named in full: a column of a select from one table is written without its table. */
const open = sql<number>`(
  select count(*)::int from webhook_deliveries d where d.webhook_id = webhooks.id and d.state in ('waiting', 'due'))`;
/** Its time as moments are written, which JSON has of no other kind. */
const last = sql<Webhook['last']>`(
  select json_build_object('at', newest.log -> -1 ->> 'at', 'delivered', newest.log -> -1 ->> 'error' is null)
  from webhook_deliveries newest where newest.webhook_id = webhooks.id and newest.last_attempt_at is not null
  order by newest.last_attempt_at desc limit 1)`;

/** In the order in which they were made. */
export async function listWebhooks(db: Db): Promise<Webhook[]> {
  const rows = await db
    .select({ ...getTableColumns(webhooks), open, last, viewName: savedViews.name })
    .from(webhooks)
    .leftJoin(savedViews, and(eq(savedViews.id, webhooks.viewId), isNull(savedViews.deletedAt)))
    .orderBy(asc(webhooks.createdAt), webhooks.id);
  const now = Date.now();
  return rows.map(({ id, url, events, viewId, viewName, signature, publicKey, oldUntil, ...row }) => ({
    ...{ id, url, events, signature, publicKey },
    view: viewId === null ? null : { id: viewId, name: viewName },
    oldKeyUntil: oldUntil !== null && Date.parse(oldUntil) > now ? oldUntil : null,
    on: row.state === 'on',
    ...{ offReason: row.offReason, failingSince: row.failingSince, createdAt: row.createdAt },
    ...{ open: row.open, last: row.last },
  }));
}

export async function findWebhook(db: Db, webhookId: string): Promise<StoredWebhook | undefined> {
  const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, webhookId));
  return webhook;
}

/**
 * Held while deliveries of a webhook get their place in the order of a lead: by all that end one, or by the one that adds
 * some. Otherwise one could wait for an event that is done.
 */
export const lockOrder = (tx: Db, webhookId: string, mode: 'shared' | 'exclusive') =>
  tx.execute(
    mode === 'shared'
      ? sql`select pg_advisory_xact_lock_shared(hashtextextended(${`webhook ${webhookId}`}, 0))`
      : sql`select pg_advisory_xact_lock(hashtextextended(${`webhook ${webhookId}`}, 0))`,
  );

/** Locked, so that it is changed as it was read. The order first, as those do who send. */
export async function lockWebhook(tx: Db, webhookId: string): Promise<StoredWebhook | undefined> {
  await lockOrder(tx, webhookId, 'exclusive');
  const [webhook] = await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for('update');
  return webhook;
}

export const listOn = (db: Db): Promise<StoredWebhook[]> => db.select().from(webhooks).where(eq(webhooks.state, 'on'));

/** Locks the table against another one that is made at the same time. */
export async function countWebhooks(tx: Db): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('webhooks'))`);
  return tx.$count(webhooks);
}

export async function insertWebhook(tx: Db, values: typeof webhooks.$inferInsert): Promise<void> {
  await tx.insert(webhooks).values(values);
}

type Changes = Partial<WebhookSettings & Pick<StoredWebhook, 'state' | 'offReason' | 'failingSince' | 'pausedUntil'>>;

export async function updateWebhook(tx: Db, webhookId: string, changes: Changes): Promise<void> {
  await tx
    .update(webhooks)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(webhooks.id, webhookId));
}

/** The key that was current signs for another day. */
export async function replaceKey(tx: Db, webhookId: string, key: { secret: string; publicKey: string | null }) {
  await tx
    .update(webhooks)
    .set({
      ...key,
      oldSecret: sql`${webhooks.secret}`,
      oldUntil: sql`now() + make_interval(hours => ${OLD_KEY_HOURS})`,
      updatedAt: sql`now()`,
    })
    .where(eq(webhooks.id, webhookId));
}

export async function deleteWebhook(tx: Db, webhookId: string): Promise<void> {
  await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));
  await tx.delete(webhooks).where(eq(webhooks.id, webhookId));
}
