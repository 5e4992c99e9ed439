import { type SQL, sql } from 'drizzle-orm';
import type { FollowUp } from '#contract/leads/follow-ups/follow-up.ts';
import { MAX_IN_SECTION, type TodayLead, type TodaySection } from '#contract/leads/today/today.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { IS_OPEN, isOverdue, isQuiet } from '#server/leads/list/attention.sql.ts';
import {
  ITEM_COLUMNS,
  type ItemRow,
  JOIN_BUSINESS_AND_HOLDER,
  LATEST_ACTIVITY,
  toItem,
} from '#server/leads/list/lead-items.sql.ts';

/** The moments that divide the sections. */
export interface TodayTimes {
  now: Date;
  endOfDay: Date;
  endOfWeek: Date;
}

/** A lead is in one section at most: what is planned decides, then that it is new, then that it is going quiet. */
function sectionedLeads(userId: number, { now, endOfDay, endOfWeek }: TodayTimes): SQL {
  const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
  return sql`
    select lead.id, case when ${isOverdue(now)} then 'overdue'
        when lead.next_step_at < ${at(endOfDay)} then 'due' else 'later' end as section,
      extract(epoch from lead.next_step_at) as position
    from user_businesses lead
    where lead.user_id = ${userId} and lead.next_step_at < ${at(endOfWeek)} and not lead.archived
    union all
    select lead.id, 'new', -extract(epoch from lead.assigned_at)
    from user_businesses lead
    where lead.user_id = ${userId} and ${IS_OPEN} and lead.next_step_at is null and not lead.viewed
    union all
    select lead.id, 'quiet', extract(epoch from lead.last_contacted_at)
    from user_businesses lead
    where lead.user_id = ${userId} and ${isQuiet(now)}`;
}

export async function countToday(db: Db, userId: number, times: TodayTimes): Promise<Map<TodaySection, number>> {
  const { rows } = await db.execute<{ section: TodaySection; count: number }>(
    sql`select section, count(*)::int as count from (${sectionedLeads(userId, times)}) sectioned group by section`,
  );
  return new Map(rows.map(({ section, count }) => [section, count]));
}

type TodayRow = ItemRow & {
  section: TodaySection;
  latestActivity: TodayLead['latestActivity'];
  followUp: FollowUp | null;
};

/** The first leads of each section, in its order. */
export async function listToday(db: Db, userId: number, times: TodayTimes) {
  const { rows } = await db.execute<TodayRow>(sql`
    with ranked as (
      select id, section, row_number() over (partition by section order by position, id) as place
      from (${sectionedLeads(userId, times)}) sectioned
    )
    select ranked.section, ${ITEM_COLUMNS}, latest_activity.summary as "latestActivity", follow_up.planned as "followUp"
    from ranked join user_businesses lead using (id) ${JOIN_BUSINESS_AND_HOLDER} ${LATEST_ACTIVITY}
    left join lateral (
      select jsonb_build_object('id', id, 'type', type, 'note', description, 'createdBy', created_by) as planned
      from contact_activities
      where user_business_id = lead.id and scheduled_at is not null and completed_at is null
    ) follow_up on true
    where place <= ${MAX_IN_SECTION} order by place`);
  const sections = new Map<TodaySection, TodayLead[]>();
  for (const row of rows) {
    const item = toItem(row);
    const at = item.userBusiness.nextStepAt;
    const followUp = row.followUp && at ? { ...row.followUp, at } : null;
    const lead = { ...item, latestActivity: row.latestActivity, followUp };
    sections.set(row.section, [...(sections.get(row.section) ?? []), lead]);
  }
  return sections;
}
