import type { AnyCall } from '#contract/call.ts';
import { Refusal } from '#contract/errors.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Limit {
  max: number;
  seconds: number;
}

export const PER_USER: Record<AnyCall['limit'], Limit[]> = {
  read: [{ max: 1200, seconds: MINUTE }],
  write: [{ max: 600, seconds: MINUTE }],
  search: [
    { max: 30, seconds: MINUTE },
    { max: 1000, seconds: DAY },
  ],
  export: [{ max: 30, seconds: MINUTE }],
  import: [{ max: 20, seconds: HOUR }],
};
/** Of one program. What costs money, and large files, count for its user as well: more tokens do not allow more of them. */
export const PER_PROGRAM: Record<AnyCall['limit'], Limit[]> = {
  read: [{ max: 300, seconds: MINUTE }],
  write: [{ max: 120, seconds: MINUTE }],
  search: [{ max: 10, seconds: MINUTE }],
  export: [{ max: 10, seconds: MINUTE }],
  import: [{ max: 10, seconds: HOUR }],
};
const PER_IP: Limit = { max: 120, seconds: MINUTE };

const MAX_COUNTERS = 100_000;

/** Counts requests in fixed windows, in memory: these limits protect the process, not an account. */
export function requestLimits(factor: number, now: () => number = Date.now) {
  const counters = new Map<string, { count: number; ends: number }>();

  /** Counts a request; the returned function refunds it. A refused request is not counted. */
  function count(key: string, { max, seconds }: Limit): () => void {
    const moment = now();
    let counter = counters.get(key);
    if (!counter || counter.ends <= moment) {
      if (counters.size >= MAX_COUNTERS) deleteExpired(moment);
      counter = { count: 0, ends: moment + seconds * 1000 };
      counters.set(key, counter);
    }
    if (counter.count + 1 > max * factor) {
      const retryAfter = Math.max(1, Math.ceil((counter.ends - moment) / 1000));
      throw new Refusal('rate_limited', 'Too many requests. Please wait a moment and try again.', { retryAfter });
    }
    const counted = counter;
    counted.count += 1;
    return () => {
      counted.count -= 1;
    };
  }

  function countAll(key: string, limits: Limit[]) {
    for (const limit of limits) count(`${key} ${limit.seconds}`, limit);
  }

  function deleteExpired(moment: number) {
    for (const [key, counter] of counters) if (counter.ends <= moment) counters.delete(key);
  }

  return {
    countByUser: (userId: number, kind: AnyCall['limit']) => countAll(`user ${userId} ${kind}`, PER_USER[kind]),
    countByProgram: ({ tokenId, userId }: { tokenId: string; userId: number }, kind: AnyCall['limit']) => {
      countAll(`token ${tokenId} ${kind}`, PER_PROGRAM[kind]);
      // A program that reads and writes a lot must not lock its user out.
      if (kind !== 'read' && kind !== 'write') countAll(`user ${userId} ${kind}`, PER_USER[kind]);
    },
    countByIp: (ip: string) => count(`ip ${ip}`, PER_IP),
  };
}

export type RequestLimits = ReturnType<typeof requestLimits>;
