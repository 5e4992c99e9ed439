import {
  type LocalDate,
  monthContaining,
  monthName,
  monthProgress,
  type TimeRange,
  toLocalDate,
  weekContaining,
  weekProgress,
} from '#contract/progress/calendar.ts';

export interface Periods {
  today: LocalDate;
  week: TimeRange;
  lastWeek: TimeRange;
  month: TimeRange;
  weekProgress: number;
  monthProgress: number;
  monthName: string;
}

const MINUTE_MS = 60_000;

/**
 * The week and the month that contain a moment. Cached for a minute, because a thousand open pages poll four hundred
 * times a second and time zones are slow to compute; no time zone changes its day in the middle of a minute.
 */
export function cachedPeriods(timeZone: string): (moment: Date) => Periods {
  let cached: { minute: number; periods: Periods } | undefined;
  return (moment) => {
    const minute = Math.floor(moment.getTime() / MINUTE_MS);
    if (cached?.minute !== minute) cached = { minute, periods: computePeriods(timeZone, moment) };
    return cached.periods;
  };
}

function computePeriods(timeZone: string, moment: Date): Periods {
  const today = toLocalDate(timeZone, moment);
  return {
    today,
    week: weekContaining(timeZone, moment),
    lastWeek: weekContaining(timeZone, moment, -1),
    month: monthContaining(timeZone, moment),
    weekProgress: weekProgress(today),
    monthProgress: monthProgress(today),
    monthName: monthName(today),
  };
}
