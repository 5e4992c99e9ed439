import { sql } from 'drizzle-orm';
import type { ActivityType } from '#contract/leads/lead.ts';
import type { LocalDate } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';

const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;

export type DueFollowUp = {
  userId: number;
  leadId: number;
  businessId: number;
  businessName: string;
  type: ActivityType;
  scheduledAt: string;
  note: string;
};

interface Claim {
  now: Date;
  /** Those that were due earlier are stale. */
  since: Date;
  limit: number;
}

/**
 * Marks follow-ups that are due as reminded, and returns them with their holders. Locked rows are skipped, so concurrent
 * claims never return the same one; a lead that is being reassigned waits for the next claim, and then has its new holder.
 */
export async function claimDueFollowUps(tx: Db, { now, since, limit }: Claim): Promise<DueFollowUp[]> {
  const { rows } = await tx.execute<DueFollowUp>(sql`
    with due as (
      select activity.id, lead.user_id, lead.id as lead_id, lead.business_id, lead.business_name
      from contact_activities activity
      join user_businesses lead on lead.id = activity.user_business_id
      join users holder on holder.id = lead.user_id
      where activity.scheduled_at is not null and activity.completed_at is null and activity.reminded_at is null
        and activity.scheduled_at > ${at(since)} and activity.scheduled_at <= ${at(now)}
        and not lead.archived and holder.active
      order by activity.scheduled_at, activity.id limit ${limit}
      for no key update of activity, lead skip locked
    )
    update contact_activities activity set reminded_at = ${at(now)} from due where activity.id = due.id
    returning due.user_id as "userId", due.lead_id as "leadId", due.business_id as "businessId",
      due.business_name as "businessName", activity.type, activity.scheduled_at as "scheduledAt",
      activity.description as note`);
  return rows;
}

const formatDay = ({ year, month, day }: LocalDate) =>
  [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');

/** True for the first caller, in any process. */
export async function claimMorning(tx: Db, day: LocalDate): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`insert into morning_emails (day) values (${formatDay(day)}) on conflict do nothing`,
  );
  return rowCount === 1;
}

interface MorningMails {
  kind: string;
  dueBefore: Date;
  /** Only for users with something due from this moment on; without it, overdue follow-ups are enough. */
  dueFrom: Date | undefined;
  ttlMinutes: number;
}

/** Queues an e-mail to each active user who wants it and has something due. */
export async function enqueueMorningEmails(
  tx: Db,
  { kind, dueBefore, dueFrom, ttlMinutes }: MorningMails,
): Promise<void> {
  await tx.execute(sql`
    insert into mail_outbox (kind, user_id, expires_at)
    select ${kind}, holder.id, now() + make_interval(mins => ${ttlMinutes}) from users holder
    where holder.active and holder.morning_email and exists (
      select from user_businesses lead
      where lead.user_id = holder.id and lead.next_step_at < ${at(dueBefore)} and not lead.archived
        ${dueFrom ? sql`and lead.next_step_at >= ${at(dueFrom)}` : sql``})
    order by holder.id`);
}

interface MorningRecipient extends Record<string, unknown> {
  email: string;
  fullName: string;
}

/** The user, while they are active and want the e-mail. */
export async function findMorningRecipient(db: Db, userId: number): Promise<MorningRecipient | undefined> {
  const { rows } = await db.execute<MorningRecipient>(sql`
    select email, full_name as "fullName" from users where id = ${userId} and active and morning_email`);
  return rows[0];
}

export type DueLead = {
  businessName: string;
  nextStepType: ActivityType;
  nextStepAt: string;
};

/** The first leads of a user with a follow-up in this time, and the number of all of them. */
export async function listDueLeads(
  db: Db,
  userId: number,
  { from, to, limit }: { from: Date | undefined; to: Date; limit: number },
): Promise<{ leads: DueLead[]; count: number }> {
  const { rows } = await db.execute<DueLead & { count: number }>(sql`
    select business_name as "businessName", next_step_type as "nextStepType", next_step_at as "nextStepAt",
      (count(*) over ())::int as count
    from user_businesses
    where user_id = ${userId} and next_step_at < ${at(to)} and not archived
      ${from ? sql`and next_step_at >= ${at(from)}` : sql``}
    order by next_step_at, id limit ${limit}`);
  return { leads: rows, count: rows[0]?.count ?? 0 };
}
