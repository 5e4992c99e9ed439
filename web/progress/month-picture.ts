import type { ResponseBody } from '#contract/call.ts';
import { paceOf } from '#contract/progress/pace.ts';
import type { getMonthSeries } from '#contract/progress/progress.calls.ts';

export type MonthResponse = ResponseBody<typeof getMonthSeries>;
export type Whose = 'own' | 'team';

export interface PictureDay {
  day: number;
  contacts: number;
  /** Of the month so far. */
  total: number;
  /** What the total should be by the end of that day. */
  pace: number;
}

export interface Picture {
  monthName: string;
  daysInMonth: number;
  target: number;
  days: PictureDay[];
}

/** The month of oneself or of the team, day by day up to today. */
export function pictureOf(response: MonthResponse, whose: Whose): Picture {
  const target = whose === 'own' ? response.ownTarget : response.teamTarget;
  let total = 0;
  const days = response.days.map((counted) => {
    total += counted[whose];
    // As the meters reckon it, so that both say the same.
    const elapsedPercent = Math.floor((counted.day / response.daysInMonth) * 100);
    return { day: counted.day, contacts: counted[whose], total, pace: paceOf(total, target, elapsedPercent).expected };
  });
  return { monthName: response.monthName, daysInMonth: response.daysInMonth, target, days };
}

/** Round numbers from 0 up to at least the highest, five or so of them. */
export function ticksUpTo(highest: number): number[] {
  const rough = Math.max(1, highest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter(Number.isInteger);
  const step = steps.find((step) => step >= rough) ?? 1;
  return Array.from({ length: Math.ceil(Math.max(1, highest) / step) + 1 }, (_, at) => at * step);
}

/** 1, 5, 10 … and the last one. */
export const dayTicks = (daysInMonth: number) => [1, 5, 10, 15, 20, 25, daysInMonth];
