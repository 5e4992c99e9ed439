import { addDays, atLocalTime, type LocalDate, toLocalDate } from '#contract/progress/calendar.ts';
import type { Env } from '#server/kit/env.ts';

type Schedule = Pick<Env, 'backupAt' | 'timeZone'>;

/** When the next nightly backup is due; undefined if there are none. */
export function nextBackupAt(schedule: Schedule, now: Date): Date | undefined {
  return timesAround(schedule, now).find((time) => time > now);
}

/** When the last one was due. */
export function lastBackupDue(schedule: Schedule, now: Date): Date | undefined {
  return timesAround(schedule, now).findLast((time) => time <= now);
}

/** Those of yesterday, today and tomorrow, by the team's clock. */
function timesAround({ backupAt, timeZone }: Schedule, now: Date): Date[] {
  if (!backupAt) return [];
  const [hour = 0, minute = 0] = backupAt.split(':').map(Number);
  const today: LocalDate = toLocalDate(timeZone, now);
  return [-1, 0, 1].map((days) => atLocalTime(timeZone, addDays(today, days), hour, minute));
}
