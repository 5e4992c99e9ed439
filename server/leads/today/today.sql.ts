import { type SQL, sql } from 'drizzle-orm';
import type { FollowUp } from '#contract/leads/follow-ups/follow-up.ts';
import { MAX_IN_SECTION, type TodayLead, type TodaySection } from '#contract/leads/today/today.calls.ts';
import { withObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { JOIN_BUSINESS_AND_HOLDER } from '#server/leads/leads.sql.ts';
import { IS_NEW, isLooseEnd, isOverdue, isQuiet } from '#server/leads/list/attention.sql.ts';
import { ITEM_COLUMNS, type ItemRow, LATEST_ACTIVITY, toItem } from '#server/leads/list/lead-items.sql.ts';

/** The moments that divide the sections. */
export interface TodayTimes {
  now: Date;
  endOfDay: Date;
  endOfWeek: Date;
}

interface Section {
  name: TodaySection;
  condition: SQL;
  order: SQL;
}

/**
 * What is planned decides about a lead, then when it was contacted last. An open lead is in one of these sections, or is
 * planned for later than this week. Each order is that of a partial index.
 */
function listSections({ now, endOfDay, endOfWeek }: TodayTimes): Section[] {
  const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
  const planned = (from: Date, to: Date) =>
    sql`lead.next_step_at >= ${at(from)} and lead.next_step_at < ${at(to)} and not lead.archived`;
  const bySchedule = sql`lead.next_step_at, lead.id`;
  return [
    { name: 'overdue', condition: isOverdue(now), order: bySchedule },
    { name: 'due', condition: planned(now, endOfDay), order: bySchedule },
    {
      name: 'new',
      condition: IS_NEW,
      order: sql`lead.assigned_at desc, lead.id`,
    },
    { name: 'loose', condition: isLooseEnd(now), order: sql`lead.last_contacted_at, lead.id` },
    { name: 'quiet', condition: isQuiet(now), order: sql`lead.last_contacted_at, lead.id` },
    { name: 'later', condition: planned(endOfDay, endOfWeek), order: bySchedule },
  ];
}

const unionAll = (selects: SQL[]) => sql.join(selects, sql` union all `);

export async function countToday(db: Db, userId: number, times: TodayTimes): Promise<Map<TodaySection, number>> {
  const counts = listSections(times).map(
    ({ name, condition }) => sql`
      select ${name}::text as section, count(*)::int as count from user_businesses lead
      where lead.user_id = ${userId} and ${condition}`,
  );
  const { rows } = await db.execute<{ section: TodaySection; count: number }>(unionAll(counts));
  return new Map(rows.map(({ section, count }) => [section, count]));
}

type TodayRow = ItemRow & {
  section: TodaySection;
  latestActivity: TodayLead['latestActivity'];
  followUp: FollowUp | null;
};

/** The first leads of each section, in its order. */
export async function listToday(db: Db, userId: number, times: TodayTimes) {
  const first = listSections(times).map(
    ({ name, condition, order }) => sql`
      (select lead.id, ${name}::text as section, row_number() over (order by ${order}) as place from user_businesses lead
      where lead.user_id = ${userId} and ${condition} order by ${order} limit ${MAX_IN_SECTION})`,
  );
  const { rows } = await db.execute<TodayRow>(sql`
    with ranked as materialized (${unionAll(first)})
    select ranked.section, ${ITEM_COLUMNS}, latest_activity.summary as "latestActivity", follow_up.planned as "followUp"
    from ranked join user_businesses lead using (id) ${JOIN_BUSINESS_AND_HOLDER} ${LATEST_ACTIVITY}
    left join lateral (
      select jsonb_build_object('id', id, 'type', type, 'note', description, 'createdBy', created_by) as planned
      from contact_activities
      where user_business_id = lead.id and scheduled_at is not null and completed_at is null
    ) follow_up on true
    order by place`);
  const sections = new Map<TodaySection, TodayLead[]>();
  const items = await withObjections(db, rows.map(toItem));
  for (const [nth, item] of items.entries()) {
    const row = rows[nth] as TodayRow; // as many items as rows
    const at = item.userBusiness.nextStepAt;
    const followUp = row.followUp && at ? { ...row.followUp, at } : null;
    const lead = { ...item, latestActivity: row.latestActivity, followUp };
    sections.set(row.section, [...(sections.get(row.section) ?? []), lead]);
  }
  return sections;
}
