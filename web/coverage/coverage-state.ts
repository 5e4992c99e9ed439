import { z } from 'zod';
import { isBusinessType } from '#contract/business-types/business-types.ts';
import { district, districtOrArea } from '#contract/districts/district.ts';
import { MAX_ID } from '#contract/fields.ts';
import { type ChangeOptions, useUrlState } from '#web/kit/navigation/url-state.ts';
import { METRICS, type Metric } from './metrics.ts';

/** What the screen shows, as the URL has it. */
export interface CoverageState {
  metric: Metric;
  type: string | undefined;
  /** A user; undefined for the whole team. */
  person: number | undefined;
  /** The area whose districts are listed. */
  area: string | undefined;
  district: string | undefined;
}

export const WHOLE_COUNTRY: CoverageState = {
  metric: 'share',
  type: undefined,
  person: undefined,
  area: undefined,
  district: undefined,
};

/** The parameters of the URL; an invalid one is left out. */
export const coverageParams = z.object({
  metric: z.enum(METRICS).catch('share'),
  type: z.string().refine(isBusinessType).optional().catch(undefined),
  person: z.coerce.number().int().min(1).max(MAX_ID).optional().catch(undefined),
  area: districtOrArea.optional().catch(undefined),
  district: district.optional().catch(undefined),
});

export function useCoverageState() {
  const [state, change] = useUrlState<CoverageState>(coverageParams, WHOLE_COUNTRY);
  const changeCoverage = (changed: Partial<CoverageState>, options?: ChangeOptions) =>
    change((current) => ({ ...current, ...changed }), options);
  return [state, changeCoverage] as const;
}
