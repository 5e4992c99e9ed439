import type { FunnelStep } from '../leads/funnel-step.ts';
import type { FunnelFigures } from './reports.calls.ts';
import { toShare } from './share.ts';

/** What the share of a step, and its days, are counted from. Lost leads may come from any step. */
export const STEP_BEFORE: Partial<Record<FunnelStep, FunnelStep>> = {
  contacted: 'assigned',
  reached: 'contacted',
  qualified: 'reached',
  won: 'qualified',
};

/** Its leads in whole percent of those of the step before; undefined where there is none, or where that has too few. */
export function findShareOfStepBefore(step: FunnelStep, figures: Record<FunnelStep, number>): number | undefined {
  const before = STEP_BEFORE[step];
  return before && toShare(figures[step], figures[before]);
}

/** The median days from the step before; null where no lead has both. */
export const findMedianDays = (step: FunnelStep, { daysTo }: Pick<FunnelFigures, 'daysTo'>): number | null =>
  step === 'assigned' || step === 'lost' ? null : daysTo[step];
