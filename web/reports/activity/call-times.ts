import type { ResponseBody } from '#contract/call.ts';
import type { getCallTimes } from '#contract/reports/activity.calls.ts';
import { type Rate, SMALLEST_SAMPLE, toReachedRate } from '#contract/reports/reached-rate.ts';

type Counted = ResponseBody<typeof getCallTimes>[number];

export interface CallTime extends Counted, Rate {
  /** Too few calls to say anything. */
  few: boolean;
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const toCallTimes = (counted: Counted[]): CallTime[] =>
  counted.flatMap((time) => {
    const rate = toReachedRate(time.reached, time.calls);
    return rate ? [{ ...time, ...rate, few: time.calls < SMALLEST_SAMPLE }] : [];
  });

/** The hour of which most can be said with confidence: the highest lower end of the interval. */
export const findBestTime = (times: CallTime[]): CallTime | undefined =>
  times
    .filter(({ few }) => !few)
    .reduce<CallTime | undefined>((best, time) => (best && best.low >= time.low ? best : time), undefined);

const toClock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

/** "10:00–11:00" */
export const formatHour = (hour: number) => `${toClock(hour)}–${toClock((hour + 1) % 24)}`;

export const formatTime = ({ weekday, hour }: Counted) => `${WEEKDAYS[weekday - 1]}, ${formatHour(hour)}`;

/** "42% (35–49%)" */
export const formatRate = ({ rate, low, high }: Rate) => `${rate}% (${low}–${high}%)`;
