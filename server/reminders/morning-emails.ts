import { formatMonthDay, formatTime } from '#contract/format.ts';
import { ACTIVITY_TYPE_LABEL } from '#contract/leads/lead.ts';
import { addDays, startOfDay, toLocalDate } from '#contract/progress/calendar.ts';
import { findMorning } from '#contract/reminders/morning-email.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Message } from '#server/kit/mail/message.ts';
import type { MailJob } from '#server/kit/mail/outbox.ts';
import {
  claimMorning,
  type DueLead,
  enqueueMorningEmails,
  findMorningRecipient,
  listDueLeads,
} from './reminders.sql.ts';

export const MORNING_EMAIL = 'morning_email';
const MAX_LINES = 20;
const MINUTE_MS = 60_000;

/** Puts the e-mails of this morning into the outbox, once in all processes. Returns whether it did. */
export async function sendMorningEmails(tx: Db, now: Date, timeZone: string): Promise<boolean> {
  const morning = findMorning(timeZone, now);
  if (!morning || !(await claimMorning(tx, morning.day))) return false;
  const { day, until, weekend } = morning;
  await enqueueMorningEmails(tx, {
    kind: MORNING_EMAIL,
    dueBefore: startOfDay(timeZone, addDays(day, 1)),
    dueFrom: weekend ? startOfDay(timeZone, day) : undefined,
    ttlMinutes: Math.ceil((until.getTime() - now.getTime()) / MINUTE_MS),
  });
  return true;
}

interface Context {
  now: Date;
  timeZone: string;
  appUrl: string;
}

/** Composes the e-mail when it is sent: what was done meanwhile is not in it. Undefined when there is nothing to send. */
export async function composeMorningEmail(
  db: Db,
  { userId }: Pick<MailJob, 'userId'>,
  { now, timeZone, appUrl }: Context,
): Promise<Message | undefined> {
  const recipient = userId === null ? undefined : await findMorningRecipient(db, userId);
  if (userId === null || !recipient || !findMorning(timeZone, now)) return undefined;
  const today = toLocalDate(timeZone, now);
  const [from, to] = [startOfDay(timeZone, today), startOfDay(timeZone, addDays(today, 1))];
  const overdue = await listDueLeads(db, userId, { from: undefined, to: from, limit: MAX_LINES });
  const due = await listDueLeads(db, userId, { from, to, limit: MAX_LINES });
  if (!overdue.count && !due.count) return undefined;
  const counts = [due.count && `${due.count} due`, overdue.count && `${overdue.count} overdue`].filter(Boolean);
  return {
    to: recipient.email,
    subject: `Your follow-ups today: ${counts.join(', ')}`,
    paragraphs: [
      `Hello ${recipient.fullName},`,
      ...formatSection('Due today', due, ({ nextStepAt }) => formatTime(nextStepAt, timeZone)),
      ...formatSection('Overdue', overdue, ({ nextStepAt }) => formatMonthDay(nextStepAt, timeZone)),
      'Open your day:',
      `${appUrl}/today`,
      'To stop these e-mails, switch off "Morning e-mail" on the Reminders page of your account:',
      `${appUrl}/reminders`,
    ],
  };
}

function formatSection(
  title: string,
  { leads, count }: { leads: DueLead[]; count: number },
  formatWhen: (lead: DueLead) => string,
): string[] {
  if (!count) return [];
  const lines = leads.map(
    (lead) => `${formatWhen(lead)}  ${ACTIVITY_TYPE_LABEL[lead.nextStepType]}: ${lead.businessName}`,
  );
  const more = count > leads.length ? [`and ${count - leads.length} more`] : [];
  return [[`${title} (${count})`, ...lines, ...more].join('\n')];
}
