import type { ResponseBody } from '#contract/call.ts';
import { paceOf, teamPace } from '#contract/progress/pace.ts';
import type { getMonthSeries } from '#contract/progress/progress.calls.ts';

export type MonthResponse = ResponseBody<typeof getMonthSeries>;
export type Owner = 'own' | 'team';

interface SeriesDay {
  day: number;
  contacts: number;
  /** The contacts of the month up to this day. */
  total: number;
  /** The total expected by the end of this day. */
  pace: number;
}

export interface MonthSeries {
  monthName: string;
  daysInMonth: number;
  target: number;
  days: SeriesDay[];
  /** Where the line of the pace starts, bends and ends: it gets steeper when users join. */
  paceLine: { day: number; pace: number }[];
}

/** The month of the viewer or of the team, day by day up to today. */
export function buildMonthSeries(response: MonthResponse, owner: Owner): MonthSeries {
  const { daysInMonth, ownTarget, teamTarget, joined } = response;
  const paceBy = (day: number) =>
    owner === 'own'
      ? // Rounded like the meters' percentage, so that chart and meters agree.
        paceOf(0, ownTarget, Math.floor((day / daysInMonth) * 100)).expected
      : teamPace(teamTarget, joined, day, daysInMonth);
  let total = 0;
  const days = response.days.map(({ day, [owner]: contacts }) => {
    total += contacts;
    return { day, contacts, total, pace: paceBy(day) };
  });
  const bends = owner === 'own' ? [] : joined.map(({ day }) => day - 1);
  const paceLine = [0, ...bends, daysInMonth].map((day) => ({ day, pace: paceBy(day) }));
  return { monthName: response.monthName, daysInMonth, target: paceBy(daysInMonth), days, paceLine };
}

/** About five round numbers from 0 up to at least `max`, for an axis. */
export function axisTicks(max: number): number[] {
  const rough = Math.max(1, max) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter(Number.isInteger);
  const step = steps.find((step) => step >= rough) ?? 1;
  return Array.from({ length: Math.ceil(Math.max(1, max) / step) + 1 }, (_, index) => index * step);
}

/** 1, 5, 10 … and the last day. */
export const dayTicks = (daysInMonth: number) => [1, 5, 10, 15, 20, 25, daysInMonth];
