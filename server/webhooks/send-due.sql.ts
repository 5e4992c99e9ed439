import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { DELIVERY_DAYS, type DeliveryAttempt } from '#contract/webhooks/delivery.ts';
import { MAX_FAILING_DAYS, type OffReason, type WebhookSignature } from '#contract/webhooks/webhook.ts';
import type { Db } from '#server/kit/db/db.ts';
import { webhookDeliveries, webhooks } from '#server/schema/webhooks.ts';
import { lockOrder } from './webhooks.sql.ts';

/** After this another process may try: one that is killed has not said how it ended. More than a request may take. */
const CLAIM_SECONDS = 60;
const KEPT_ATTEMPTS = 20;

/** A delivery that this process is to send, with what it needs of its webhook and its event. */
export type Claimed = {
  id: number;
  webhookId: string;
  leadId: number | null;
  attempts: number;
  url: string;
  signature: WebhookSignature;
  secret: string;
  /** While it signs, too. */
  oldSecret: string | null;
  messageId: string;
  type: string;
  at: string;
  data: Record<string, unknown>;
  /** No longer worth sending. */
  outdated: boolean;
};

const isDue = sql`d.state = 'due' and d.next_attempt_at <= now()`;

/** The webhooks for which something is due. */
export async function listBusyWebhooks(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from webhooks where state = 'on' and coalesce(paused_until <= now(), true)
      and exists (select from webhook_deliveries d where d.webhook_id = webhooks.id and ${isDue})`);
  return rows.map(({ id }) => id);
}

/** Reserves the deliveries that are due longest. The attempt counts from here on, so that a crash repeats none for ever. */
export async function claimDue(db: Db, webhookId: string, limit: number): Promise<Claimed[]> {
  const { rows } = await db.execute<Claimed>(sql`
    with due as (
      select d.id from webhook_deliveries d join webhooks on webhooks.id = d.webhook_id
      where d.webhook_id = ${webhookId} and ${isDue}
        and webhooks.state = 'on' and coalesce(webhooks.paused_until <= now(), true)
      order by d.next_attempt_at, d.event_id limit ${limit} for update of d skip locked
    ), claimed as (
      update webhook_deliveries d set attempts = attempts + 1,
        next_attempt_at = now() + make_interval(secs => ${CLAIM_SECONDS})
      from due where d.id = due.id returning d.*
    )
    select claimed.id::int, claimed.webhook_id as "webhookId", claimed.lead_id as "leadId", claimed.attempts,
      webhooks.url, webhooks.signature, webhooks.secret,
      case when webhooks.old_until > now() then webhooks.old_secret end as "oldSecret",
      event.message_id as "messageId", event.type, event.at, event.data,
      event.at <= now() - make_interval(days => ${DELIVERY_DAYS}) as outdated
    from claimed join webhooks on webhooks.id = claimed.webhook_id join webhook_events event on event.id = claimed.event_id
    order by claimed.event_id`);
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
}

/** What it was sent for is as it was before: the product stops. */
export const unclaim = (db: Db, { id, attempts }: Claimed) =>
  db
    .update(webhookDeliveries)
    .set({ attempts: sql`${webhookDeliveries.attempts} - 1`, nextAttemptAt: sql`now()` })
    .where(and(eq(webhookDeliveries.id, id), isClaimOf(attempts)));

/** Nobody else has claimed it since. */
const isClaimOf = (attempts: number) =>
  and(eq(webhookDeliveries.state, 'due'), eq(webhookDeliveries.attempts, attempts));

/** How a delivery went on after an attempt. Without a delay it has failed for good. */
export type Outcome = { delivered: true } | { delivered: false; delaySeconds: number | undefined };

export async function recordAttempt(
  tx: Db,
  { id, webhookId, leadId, attempts }: Claimed,
  attempt: DeliveryAttempt,
  outcome: Outcome,
) {
  await lockOrder(tx, webhookId, 'shared');
  const delay = outcome.delivered ? undefined : outcome.delaySeconds;
  const state = outcome.delivered ? 'delivered' : delay === undefined ? 'failed' : 'due';
  // A success counts whoever has claimed it since; a failure only for those who hold it.
  const { rowCount } = await tx
    .update(webhookDeliveries)
    .set({
      state,
      lastAttemptAt: attempt.at,
      log: sql`case when jsonb_array_length(log) >= ${KEPT_ATTEMPTS} then log - 0 else log end || ${JSON.stringify([attempt])}::jsonb`,
      ...(delay !== undefined && { nextAttemptAt: sql`now() + make_interval(secs => ${delay})` }),
    })
    .where(
      outcome.delivered
        ? and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, 'due'))
        : and(eq(webhookDeliveries.id, id), isClaimOf(attempts)),
    );
  if (rowCount && leadId !== null && state !== 'due') await releaseNext(tx, webhookId, [leadId]);
}

/** Makes the oldest event of each lead due that waits, where none of the lead is due. The caller holds the order. */
export async function releaseNext(tx: Db, webhookId: string, leadIds: number[]): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set state = 'due', next_attempt_at = now()
    where id in (
      select distinct on (d.lead_id) d.id from webhook_deliveries d
      where d.webhook_id = ${webhookId} and d.lead_id = any (${sql.param(leadIds)}::int[]) and d.state = 'waiting'
        and not exists (select from webhook_deliveries other where other.webhook_id = d.webhook_id
          and other.lead_id = d.lead_id and other.state = 'due')
      order by d.lead_id, d.event_id)`);
}

export const clearFailing = (tx: Db, webhookId: string) =>
  tx
    .update(webhooks)
    .set({ failingSince: null })
    .where(and(eq(webhooks.id, webhookId), isNotNull(webhooks.failingSince)));

interface Failure {
  gone: boolean;
  /** For which the receiver asked to be left alone. */
  pauseSeconds: number;
}

/** Records that a webhook fails. Returns why it is switched off by that, if it is. */
export async function recordFailing(
  tx: Db,
  webhookId: string,
  { gone, pauseSeconds }: Failure,
): Promise<OffReason | undefined> {
  const tooLong = sql`failing_since <= now() - make_interval(days => ${MAX_FAILING_DAYS})`;
  const off = sql`state = 'on' and (${gone} or coalesce(${tooLong}, false))`;
  const { rows } = await tx.execute<{ offReason: OffReason | null }>(sql`
    with before as (select id, ${off} as off from webhooks where id = ${webhookId} for no key update)
    update webhooks set failing_since = coalesce(failing_since, now()),
      state = case when before.off then 'off' else state end,
      off_reason = case when not before.off then off_reason when ${gone} then 'gone' else 'failing' end,
      paused_until = case when ${pauseSeconds} > 0 then now() + make_interval(secs => ${pauseSeconds}) else paused_until end
    from before where webhooks.id = before.id
    returning case when before.off then off_reason end as "offReason"`);
  return rows[0]?.offReason ?? undefined;
}
