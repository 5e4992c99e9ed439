import { type SQL, sql } from 'drizzle-orm';
import type { WebhookEvent } from '#contract/webhooks/webhook-event.ts';
import type { Db } from '#server/kit/db/db.ts';
import { executePrepared } from '#server/kit/db/execute-prepared.ts';

export interface NewEvent {
  type: WebhookEvent;
  /** The lead that it is of, or the business whose leads it is of, each. */
  leadId?: number;
  businessId?: number;
  /** Ids, kinds and names of fields: never what people wrote. */
  data?: Record<string, unknown>;
}

/** Records what webhooks are told of, in the transaction of the change. Before a lead is deleted: it is read here. */
export async function recordEvents(tx: Db, events: NewEvent[]): Promise<void> {
  if (events.length) await executePrepared(tx, insertEvents(events));
}

/**
 * One statement of the same text for any number of events. Without a webhook that is on it reads one row, and writes only
 * what one of them is told of. The lead is as this transaction has left it.
 */
export function insertEvents(events: NewEvent[]): SQL {
  const column = (read: (event: NewEvent) => unknown) => sql.param(events.map(read));
  return sql`
    insert into webhook_events (type, lead_id, data)
    select event.type, lead.id, event.data || case when lead.id is null then '{}' else jsonb_build_object('lead',
      jsonb_build_object('id', lead.id, 'uuid', lead.uuid, 'businessId', lead.business_id, 'holderId', lead.user_id)) end
    from unnest(
        ${column(({ type }) => type)}::text[], ${column(({ leadId }) => leadId ?? null)}::int[],
        ${column(({ businessId }) => businessId ?? null)}::int[],
        ${column(({ data }) => JSON.stringify(data ?? {}))}::jsonb[]
      ) with ordinality as event (type, lead_id, business_id, data, nth)
    left join lateral (
      select id, uuid, business_id, user_id from user_businesses where id = event.lead_id
      union all
      select id, uuid, business_id, user_id from user_businesses where business_id = event.business_id
    ) lead on true
    where exists (select from webhooks where state = 'on')
      and exists (select from webhooks where state = 'on' and event.type = any (events))
      and (lead.id is not null or (event.lead_id is null and event.business_id is null))
    order by event.nth, lead.id`;
}
