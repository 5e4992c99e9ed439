import type {
  Sweep,
  SweepDistrictState,
  SweepEstimate,
  SweepResultStatus,
  SweepState,
} from '#contract/sweeps/sweep.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Tone } from '#web/kit/ui/Badge.tsx';

export const STATE_LABEL: Record<SweepState, string> = {
  running: 'Searching',
  paused: 'Paused',
  stopped: 'Stopped',
  cancelled: 'Cancelled',
  done: 'Done',
};

export const STATE_TONE: Record<SweepState, Tone> = {
  running: 'info',
  paused: 'warn',
  stopped: 'danger',
  cancelled: 'neutral',
  done: 'good',
};

export const DISTRICT_LABEL: Record<SweepDistrictState, string> = {
  waiting: 'Waiting',
  done: 'Done',
  failed: 'Failed',
};
export const DISTRICT_TONE: Record<SweepDistrictState, Tone> = { waiting: 'neutral', done: 'good', failed: 'danger' };

export const STATUS_LABEL: Record<SweepResultStatus, string> = {
  new: 'New',
  assigned: 'Assigned here',
  lead: 'Already a lead',
  customer: 'Existing customer',
  similar: 'Looks like a lead',
  outside: 'Outside the districts',
  closed: 'Closed for good',
};
export const STATUS_TONE: Record<SweepResultStatus, Tone> = {
  new: 'new',
  assigned: 'good',
  lead: 'info',
  customer: 'info',
  similar: 'warn',
  outside: 'neutral',
  closed: 'neutral',
};

const MAX_NAMED = 4;

/** "Hairdresser in WF, LS" */
export function describeSweep({ businessType, keyword, places }: Pick<Sweep, 'businessType' | 'keyword' | 'places'>) {
  const named = places.slice(0, MAX_NAMED).join(', ');
  const more = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : '';
  return `${businessType}${keyword ? ` (${keyword})` : ''} in ${named}${more}`;
}

const formatDistricts = (count: number) => (count === 1 ? '1 district' : `${formatCount(count)} districts`);

/** "12 of 46 districts" */
export const describeProgress = ({ districts: { total, done, failed } }: Pick<Sweep, 'districts'>) =>
  `${formatCount(done)} of ${formatDistricts(total)}${failed ? `, ${formatCount(failed)} failed` : ''}`;

/** "at most 138, all paid" */
export function describeCalls({ calls, paidCalls }: Pick<SweepEstimate, 'calls' | 'paidCalls'>): string {
  if (calls === 0) return 'none';
  return `at most ${formatCount(calls)}, ${paidCalls ? 'all paid' : 'free of charge'}`;
}

/** "a few seconds", "about 3 minutes" */
export function describeDuration(seconds: number): string {
  if (seconds < 20) return 'a few seconds';
  if (seconds < 90) return 'about a minute';
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} minutes`;
  return `about ${Math.round(seconds / 3_600)} hours`;
}
