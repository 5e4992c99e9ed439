import type { Days } from '#contract/reports/period.ts';
import { formatDate } from '#web/kit/format.ts';

/** "on Nov 2, 2026", "Nov 1, 2026 to Nov 19, 2026". A day without a time is midnight in UTC. */
export const formatDays = ({ from, to }: Days) =>
  from === to ? `on ${formatDate(from, 'UTC')}` : `${formatDate(from, 'UTC')} to ${formatDate(to, 'UTC')}`;
