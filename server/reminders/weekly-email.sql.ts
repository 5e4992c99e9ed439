import { sql } from 'drizzle-orm';
import type { LocalDate } from '#contract/progress/calendar.ts';
import { toDayText } from '#contract/reports/period.ts';
import type { Role } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';

/** True for the first caller, in any process. */
export async function claimWeek(tx: Db, monday: LocalDate): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`insert into weekly_emails (monday) values (${toDayText(monday)}) on conflict do nothing`,
  );
  return rowCount === 1;
}

/** Queues an e-mail to each active user who wants it. */
export async function enqueueWeeklyEmails(tx: Db, { kind, ttlMinutes }: { kind: string; ttlMinutes: number }) {
  await tx.execute(sql`
    insert into mail_outbox (kind, user_id, expires_at)
    select ${kind}, id, now() + make_interval(mins => ${ttlMinutes}) from users where active and weekly_email order by id`);
}

interface WeeklyRecipient extends Record<string, unknown> {
  id: number;
  role: Role;
  email: string;
  fullName: string;
}

/** The user, while they are active and want the e-mail. */
export async function findWeeklyRecipient(db: Db, userId: number): Promise<WeeklyRecipient | undefined> {
  const { rows } = await db.execute<WeeklyRecipient>(sql`
    select id, role, email, full_name as "fullName" from users where id = ${userId} and active and weekly_email`);
  return rows[0];
}

/** Whether the user had it. */
export async function switchOffWeeklyEmail(tx: Db, userId: number): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`update users set weekly_email = false where id = ${userId} and weekly_email`,
  );
  return rowCount === 1;
}
