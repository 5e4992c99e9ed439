import { atLocalTime, type LocalDate, toLocalDate, toWeekday } from '../progress/calendar.ts';

/** The team's clock: sent from 8:00 on, and no longer at 12:00, when the morning is over. */
const FROM_HOUR = 8;
const UNTIL_HOUR = 12;

export interface Morning {
  day: LocalDate;
  until: Date;
  /** On a Saturday or Sunday, what is overdue alone is no reason for an e-mail. */
  weekend: boolean;
}

/** The morning whose e-mails are to be sent now; undefined at any other time of the day. */
export function findMorning(timeZone: string, now: Date): Morning | undefined {
  const day = toLocalDate(timeZone, now);
  const until = atLocalTime(timeZone, day, UNTIL_HOUR);
  if (now < atLocalTime(timeZone, day, FROM_HOUR) || now >= until) return undefined;
  return { day, until, weekend: toWeekday(day) > 5 };
}
