import { and, asc, eq, inArray, isNull, not, sql } from 'drizzle-orm';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import type { Program } from '#contract/users/program.ts';
import { toScreen } from '#contract/views/view.ts';
import type { Db } from '#server/kit/db/db.ts';
import { inView } from '#server/leads/list/lead-filter.sql.ts';
import { hasValidConditions } from '#server/leads/list/own-fields.sql.ts';
import { savedViews } from '#server/schema/views.ts';
import { webhookEvents } from '#server/schema/webhooks.ts';
import { lockOrder, type StoredWebhook } from './webhooks.sql.ts';

const EVENTS_PER_STEP = 500;

interface Time {
  now: Date;
  timeZone: string;
}

/**
 * Gives the oldest events that have none their deliveries, one for each webhook that is told of them. The caller holds the
 * job: events of a lead get theirs in their order. Returns how many events there were.
 */
export async function assignEvents(tx: Db, on: StoredWebhook[], time: Time): Promise<number> {
  const events = await tx
    .select({ id: webhookEvents.id, leadId: webhookEvents.leadId })
    .from(webhookEvents)
    .where(not(webhookEvents.assigned))
    .orderBy(asc(webhookEvents.id))
    .limit(EVENTS_PER_STEP);
  if (!events.length) return 0;
  const ids = events.map(({ id }) => id);
  const leadIds = [...new Set(events.flatMap(({ leadId }) => leadId ?? []))];
  for (const webhook of on) {
    const ofView = webhook.viewId === null ? null : await findLeadsInView(tx, webhook, leadIds, time);
    await lockOrder(tx, webhook.id, 'exclusive');
    await insertDeliveries(tx, webhook.id, { ids, leadIds: ofView });
  }
  await tx.update(webhookEvents).set({ assigned: true }).where(inArray(webhookEvents.id, ids));
  return events.length;
}

/** Of these leads, those in the view as it is now, and those that are gone of which the webhook was told before. */
async function findLeadsInView(tx: Db, { id, viewId }: StoredWebhook, leadIds: number[], time: Time) {
  const fence = await readFence(tx, viewId ?? '', time);
  if (!fence) return [];
  // Of nobody: a view that names a user is of that user's leads for everybody.
  const program = { tokenId: id, name: '', rights: 'read', ownLeads: false, fence } as const;
  const { rows } = await tx.execute<{ id: number }>(sql`
    select lead.id from user_businesses lead
    where lead.id = any (${sql.param(leadIds)}::int[]) and ${inView({ id: 0, role: 'admin', program }, { team: false })}
    union
    select given.id from unnest(${sql.param(leadIds)}::int[]) as given (id)
    where not exists (select from user_businesses where id = given.id)
      and exists (select from webhook_deliveries where webhook_id = ${id} and lead_id = given.id)`);
  return rows.map((row) => row.id);
}

/** Undefined where the view is gone, or filters by a field that is gone: then the webhook is told of no lead. */
async function readFence(tx: Db, viewId: string, time: Time): Promise<Program['fence'] | undefined> {
  const [view] = await tx
    .select({ settings: savedViews.settings })
    .from(savedViews)
    .where(and(eq(savedViews.id, viewId), isNull(savedViews.deletedAt)));
  const filter = view && toScreen(view.settings) === 'leads' ? leadFilter.safeParse(view.settings).data : undefined;
  return view && filter && (await hasValidConditions(tx, filter)) ? { settings: view.settings, ...time } : undefined;
}

/** One of a lead is due if no earlier one of the lead is open; the others wait for it. */
async function insertDeliveries(
  tx: Db,
  webhookId: string,
  { ids, leadIds }: { ids: number[]; leadIds: number[] | null },
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_deliveries (webhook_id, event_id, lead_id, state)
    select webhook.id, event.id, event.lead_id, case
      when event.lead_id is null then 'due'
      when row_number() over (partition by event.lead_id order by event.id) > 1 then 'waiting'
      when exists (select from webhook_deliveries earlier where earlier.webhook_id = webhook.id
        and earlier.lead_id = event.lead_id and earlier.state in ('waiting', 'due')) then 'waiting'
      else 'due' end
    from webhooks webhook join webhook_events event
      on event.webhook_id = webhook.id or (event.webhook_id is null and event.type = any (webhook.events))
    where webhook.id = ${webhookId} and event.id = any (${sql.param(ids)}::bigint[])
      and (${leadIds === null} or event.lead_id is null or event.lead_id = any (${sql.param(leadIds ?? [])}::int[]))
    order by event.id
    on conflict (webhook_id, event_id) do nothing`);
}
