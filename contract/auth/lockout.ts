/** An account locks after every fifth failure in a row. */
export const FAILURES_PER_LOCK = 5;

/** How long the nth failure locks the account; 0 when it does not. */
export function lockMinutes(failures: number): number {
  if (failures === 0 || failures % FAILURES_PER_LOCK !== 0) return 0;
  if (failures >= 50) return 24 * 60;
  if (failures >= 15) return 60;
  return failures >= 10 ? 30 : 15;
}
