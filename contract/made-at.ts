/** When a request was made that its device sends later, because it had no connection: an ISO 8601 moment. */
export const MADE_AT_HEADER = 'x-made-at';

/** A request that was made earlier is refused. */
export const MAX_DAYS_LATER = 7;

/** The clock of a device may be fast by this much: such a moment counts as now. */
export const MAX_CLOCK_SKEW_MS = 5 * 60_000;
