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
 * The week and the month in which a moment lies. Kept for a minute, because a thousand open pages ask four hundred
 * times a second and time zones are slow to reckon; no zone changes its day within a minute.
 */
export function periodsIn(timeZone: string): (moment: Date) => Periods {
  let kept: { minute: number; periods: Periods } | undefined;
  return (moment) => {
    const minute = Math.floor(moment.getTime() / MINUTE_MS);
    if (kept?.minute !== minute) kept = { minute, periods: reckon(timeZone, moment) };
    return kept.periods;
  };
}

function reckon(timeZone: string, moment: Date): Periods {
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
