import { type SQL, sql } from 'drizzle-orm';
import type { MemberLeads } from '#contract/progress/progress.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { IS_OPEN, needsAttention } from '#server/leads/list/attention.sql.ts';

interface Times {
  now: Date;
  /** Who has no credit since then is idle, */
  contactedSince: Date;
  /** unless their account is newer than this. */
  createdBefore: Date;
}

/** The open leads of every active user and those that need attention, by name. Each count is read from its own partial index. */
export async function countTeamLeads(db: Db, { now, contactedSince, createdBefore }: Times): Promise<MemberLeads[]> {
  const countByHolder = (condition: SQL) =>
    sql`(select lead.user_id, count(*)::int as leads from user_businesses lead where ${condition} group by lead.user_id)`;
  const { rows } = await db.execute<Omit<MemberLeads, 'user'> & MemberLeads['user'] & Record<string, unknown>>(sql`
    select users.id, users.full_name as "fullName", users.username, coalesce(open.leads, 0) as open,
      coalesce(overdue.leads, 0) as overdue, coalesce(long_overdue.leads, 0) as "longOverdue",
      coalesce(uncontacted.leads, 0) as uncontacted, coalesce(quiet.leads, 0) as quiet,
      coalesce(open.leads, 0) > 0 and users.created_at < ${createdBefore.toISOString()}::timestamptz and not exists (
        select from contact_credits credit where credit.user_id = users.id and credit.counted
          and credit.credited_at >= ${contactedSince.toISOString()}::timestamptz) as idle
    from users left join ${countByHolder(IS_OPEN)} open on open.user_id = users.id
      left join ${countByHolder(needsAttention('overdue', now))} overdue on overdue.user_id = users.id
      left join ${countByHolder(needsAttention('long_overdue', now))} long_overdue on long_overdue.user_id = users.id
      left join ${countByHolder(needsAttention('uncontacted', now))} uncontacted on uncontacted.user_id = users.id
      left join ${countByHolder(needsAttention('quiet', now))} quiet on quiet.user_id = users.id
    where users.active order by lower(users.full_name), users.id`);
  return rows.map(({ id, fullName, username, ...counts }) => ({ user: { id, fullName, username }, ...counts }));
}
