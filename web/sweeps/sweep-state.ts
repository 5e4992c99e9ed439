import { z } from 'zod';
import {
  type SweepDistrictState,
  type SweepResultStatus,
  sweepDistrictState,
  sweepResultStatus,
} from '#contract/sweeps/sweep.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';

/** What the screen of a sweep shows, as the URL has it. */
export interface SweepView {
  tab: 'results' | 'districts';
  status: SweepResultStatus | 'all';
  district: SweepDistrictState | 'all';
  page: number;
}

const FIRST_VIEW: SweepView = { tab: 'results', status: 'new', district: 'all', page: 1 };

/** The parameters of the URL; an invalid one is left out. */
const params = z.object({
  tab: z.enum(['results', 'districts']).catch(FIRST_VIEW.tab),
  status: z.union([z.literal('all'), sweepResultStatus]).catch(FIRST_VIEW.status),
  district: z.union([z.literal('all'), sweepDistrictState]).catch(FIRST_VIEW.district),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});

export function useSweepView() {
  const [view, change] = useUrlState<SweepView>(params, FIRST_VIEW);
  return [view, (next: Partial<SweepView>) => change((now) => ({ ...now, page: 1, ...next }))] as const;
}
