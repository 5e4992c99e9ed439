import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ResponseBody } from '#contract/call.ts';
import type { FollowUp } from '#contract/leads/follow-ups/follow-up.ts';
import type { Activity } from '#contract/leads/lead.ts';
import {
  type getPocket,
  MAX_POCKET_ACTIVITIES,
  MAX_POCKET_LEADS,
  type PocketLead,
} from '#contract/leads/pocket/pocket.calls.ts';
import { readObjections, withObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { selectList } from '#server/kit/db/select-list.ts';
import { activityColumns, JOIN_BUSINESS_AND_HOLDER } from '#server/leads/leads.sql.ts';
import { IS_OPEN } from '#server/leads/list/attention.sql.ts';
import { ITEM_COLUMNS, type ItemRow, toItem } from '#server/leads/list/lead-items.sql.ts';

type IndexRow = Record<string, unknown> & {
  id: number;
  uuid: string;
  rows: string;
  phone: string | null;
  placeId: string;
  email: string | null;
};

/**
 * The leads that a device of this user keeps, with their versions. A version is made of the transactions that wrote the
 * rows, and of the objections, which name no lead.
 */
export async function listPocket(db: Db, userId: number): Promise<ResponseBody<typeof getPocket>['leads']> {
  const { rows } = await db.execute<IndexRow>(sql`
    with kept as materialized (
      select lead.id, lead.xmin from user_businesses lead
      left join (trip_stops stop join trips trip on trip.id = stop.trip_id and trip.user_id = ${userId})
        on stop.lead_id = lead.id
      where lead.user_id = ${userId} and ${IS_OPEN}
      order by stop.position, lead.next_step_at, lead.updated_at desc, lead.id limit ${MAX_POCKET_LEADS})
    select lead.id, lead.uuid, business.phone, business.place_id as "placeId", lead.custom_fields ->> 'email' as email,
      concat_ws(' ', kept.xmin, business.xmin, (
        select string_agg(activity.id || '.' || activity.xmin, ',' order by activity.id)
        from contact_activities activity where activity.user_business_id = lead.id)) as rows
    from kept join user_businesses lead using (id) join businesses business on business.id = lead.business_id
    order by lead.id`);
  const objections = await readObjections(
    db,
    rows.map(({ phone, placeId, email }) => ({ phone, placeId, email: email ?? undefined })),
  );
  return rows.map(({ id, uuid, rows: written }, nth) => {
    const version = createHash('sha256')
      .update(`${written} ${JSON.stringify(objections[nth])}`)
      .digest('base64url');
    return { id, uuid, version: version.slice(0, 12) };
  });
}

const ACTIVITY = selectList('activity', activityColumns);

/** Those of these leads that the user holds and that are open. */
export async function readPocketLeads(db: Db, userId: number, ids: number[]): Promise<PocketLead[]> {
  const isAsked = sql`lead.id = any (${sql.param(ids)}::int[]) and lead.user_id = ${userId} and ${IS_OPEN}`;
  const { rows } = await db.execute<ItemRow & { followUp: FollowUp | null }>(sql`
    select ${ITEM_COLUMNS}, (
      select jsonb_build_object('id', id, 'type', type, 'note', description, 'createdBy', created_by)
      from contact_activities
      where user_business_id = lead.id and scheduled_at is not null and completed_at is null) as "followUp"
    from user_businesses lead ${JOIN_BUSINESS_AND_HOLDER} where ${isAsked} order by lead.id`);
  const { rows: activities } = await db.execute<Record<string, unknown>>(sql`
    select ${ACTIVITY.columns} from user_businesses lead cross join lateral (
      select * from contact_activities
      where user_business_id = lead.id and (scheduled_at is null or completed_at is not null)
      order by created_at desc, id desc limit ${MAX_POCKET_ACTIVITIES}) activity
    where ${isAsked} order by activity.created_at desc, activity.id desc`);
  const byLead = new Map<number, Activity[]>();
  for (const row of activities) {
    const activity = ACTIVITY.read(row);
    byLead.set(activity.userBusinessId, [...(byLead.get(activity.userBusinessId) ?? []), activity]);
  }
  const items = await withObjections(db, rows.map(toItem));
  return items.map(({ business, userBusiness, user }, nth) => {
    const planned = rows[nth]?.followUp;
    const at = userBusiness.nextStepAt;
    const contactActivities = byLead.get(userBusiness.id) ?? [];
    return {
      profile: { business, userBusiness: { ...userBusiness, contactActivities }, user },
      followUp: planned && at ? { ...planned, at } : null,
    };
  });
}
