import type { ResponseBody } from '#contract/call.ts';
import { paceOf } from '#contract/progress/pace.ts';
import type { getMonthSeries } from '#contract/progress/progress.calls.ts';

export type MonthResponse = ResponseBody<typeof getMonthSeries>;
export type Owner = 'own' | 'team';

export interface SeriesDay {
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
}

/** The month of the viewer or of the team, day by day up to today. */
export function buildMonthSeries(response: MonthResponse, owner: Owner): MonthSeries {
  const target = owner === 'own' ? response.ownTarget : response.teamTarget;
  let total = 0;
  const days = response.days.map(({ day, [owner]: contacts }) => {
    total += contacts;
    // Rounded like the meters' percentage, so that chart and meters agree.
    const elapsedPercent = Math.floor((day / response.daysInMonth) * 100);
    return { day, contacts, total, pace: paceOf(total, target, elapsedPercent).expected };
  });
  return { monthName: response.monthName, daysInMonth: response.daysInMonth, target, days };
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
