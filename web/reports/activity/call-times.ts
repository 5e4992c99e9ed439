import type { ResponseBody } from '#contract/call.ts';
import type { getCallTimes } from '#contract/reports/activity.calls.ts';
import { type Rate, SMALLEST_SAMPLE, toReachedRate } from '#contract/reports/reached-rate.ts';

type Counted = ResponseBody<typeof getCallTimes>[number];

export interface CallTime extends Counted, Rate {
  /** Too few calls to say anything. */
  few: boolean;
}

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

/** "42% (35–49%)" */
export const formatRate = ({ rate, low, high }: Rate) => `${rate}% (${low}–${high}%)`;
