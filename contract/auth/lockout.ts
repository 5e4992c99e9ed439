/** An account locks after every fifth failure in a row: this many tries are looked at before that. */
export const FAILURES_PER_LOCK = 5;

/** For how long the failure with this number locks the account; 0 when it does not. */
export function lockMinutes(failures: number): number {
  if (failures === 0 || failures % FAILURES_PER_LOCK !== 0) return 0;
  if (failures >= 50) return 24 * 60;
  if (failures >= 15) return 60;
  return failures >= 10 ? 30 : 15;
}
