import { z } from 'zod';
import { district, districtOrArea } from '#contract/districts/district.ts';
import { MAX_ID } from '#contract/fields.ts';
import { BUSINESS_TYPES } from '#contract/search/business-types.ts';
import { useUrlState } from '#web/kit/url-state.ts';
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
const params = z.object({
  metric: z.enum(METRICS).catch('share'),
  type: z
    .string()
    .refine((value) => BUSINESS_TYPES.includes(value))
    .optional()
    .catch(undefined),
  person: z.coerce.number().int().min(1).max(MAX_ID).optional().catch(undefined),
  area: districtOrArea.optional().catch(undefined),
  district: district.optional().catch(undefined),
});

export const parseCoverage = (search: string): CoverageState => ({
  ...WHOLE_COUNTRY,
  ...params.parse(Object.fromEntries(new URLSearchParams(search))),
});

export function formatCoverage(state: CoverageState): string {
  const used = Object.entries(state).filter(
    ([key, value]) => value !== undefined && value !== WHOLE_COUNTRY[key as keyof CoverageState],
  );
  return new URLSearchParams(used.map(([key, value]) => [key, String(value)])).toString();
}

export function useCoverageState() {
  const [state, change] = useUrlState<CoverageState>({
    initial: () => WHOLE_COUNTRY,
    defaults: WHOLE_COUNTRY,
    parse: parseCoverage,
    format: formatCoverage,
  });
  return [state, (changed: Partial<CoverageState>) => change((current) => ({ ...current, ...changed }))] as const;
}
