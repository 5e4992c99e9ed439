/** Below this, a share says more about chance than about the work. */
export const SMALLEST_GROUP = 20;

/** The share of a group in whole percent; undefined where the group is too small to compare. */
export const toShare = (count: number, of: number): number | undefined =>
  of < SMALLEST_GROUP ? undefined : Math.round((100 * count) / of);
