/** Fewer calls than these say more about chance than about the hour. */
export const SMALLEST_SAMPLE = 30;

/** The normal quantile of 95%. */
const Z = 1.96;

export interface Rate {
  /** In whole percent, as the other two. */
  rate: number;
  low: number;
  high: number;
}

/** The share of calls that reached a person, with its 95% interval (Wilson); undefined without calls. */
export function toReachedRate(reached: number, calls: number): Rate | undefined {
  if (!calls) return undefined;
  const share = reached / calls;
  const middle = share + (Z * Z) / (2 * calls);
  const half = Z * Math.sqrt((share * (1 - share)) / calls + (Z * Z) / (4 * calls * calls));
  const scale = 1 + (Z * Z) / calls;
  const toPercent = (value: number) => Math.round(100 * Math.min(Math.max(value, 0), 1));
  return { rate: toPercent(share), low: toPercent((middle - half) / scale), high: toPercent((middle + half) / scale) };
}
