import { sql } from 'drizzle-orm';
import type { MemberLeads } from '#contract/progress/progress.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { IS_OPEN, isOverdue, isQuiet } from '#server/leads/list/attention.sql.ts';

interface Times {
  now: Date;
  /** Who has no credit since then is idle, */
  contactedSince: Date;
  /** unless their account is newer than this. */
  createdBefore: Date;
}

/** Open, overdue and quiet leads of every active user, by name. Each count is read from its own partial index. */
export async function countTeamLeads(db: Db, { now, contactedSince, createdBefore }: Times): Promise<MemberLeads[]> {
  const { rows } = await db.execute<Omit<MemberLeads, 'user'> & MemberLeads['user'] & Record<string, unknown>>(sql`
    with open as (select lead.user_id, count(*) from user_businesses lead where ${IS_OPEN} group by lead.user_id),
      overdue as (select lead.user_id, count(*) from user_businesses lead where ${isOverdue(now)} group by lead.user_id),
      quiet as (select lead.user_id, count(*) from user_businesses lead where ${isQuiet(now)} group by lead.user_id)
    select users.id, users.full_name as "fullName", users.username, coalesce(open.count, 0)::int as open,
      coalesce(overdue.count, 0)::int as overdue, coalesce(quiet.count, 0)::int as quiet,
      coalesce(open.count, 0) > 0 and users.created_at < ${createdBefore.toISOString()}::timestamptz and not exists (
        select from contact_credits credit where credit.user_id = users.id and credit.counted
          and credit.credited_at >= ${contactedSince.toISOString()}::timestamptz) as idle
    from users left join open on open.user_id = users.id left join overdue on overdue.user_id = users.id
      left join quiet on quiet.user_id = users.id
    where users.active order by lower(users.full_name), users.id`);
  return rows.map(({ id, fullName, username, open, overdue, quiet, idle }) => ({
    user: { id, fullName, username },
    open,
    overdue,
    quiet,
    idle,
  }));
}
