import type { CoverageFigures } from '#contract/coverage/coverage.calls.ts';
import { formatCount } from '#web/kit/format.ts';

export const METRICS = ['share', 'leads', 'known', 'contacted', 'never', 'won', 'customers'] as const;
export type Metric = (typeof METRICS)[number];

export const METRIC_LABEL: Record<Metric, string> = {
  share: 'Share contacted',
  leads: 'Leads',
  known: 'Businesses known',
  contacted: 'Contacted',
  never: 'Never contacted',
  won: 'Won',
  customers: 'Existing customers',
};

/** The value of a metric; undefined where there is nothing to measure, such as a share of no leads. */
export function measure(
  metric: Metric,
  { known, leads, contacted, won, customers }: CoverageFigures,
): number | undefined {
  if (metric === 'share') return leads ? contacted / leads : undefined;
  return { leads, known, contacted, never: leads - contacted, won, customers }[metric] || undefined;
}

/** "34%" or "1,234"; a dash where there is nothing to measure a share of. */
export function formatMetric(metric: Metric, figures: CoverageFigures): string {
  const value = measure(metric, figures);
  if (metric !== 'share') return formatCount(value ?? 0);
  return value === undefined ? '–' : formatShare(value);
}

/** Only none is 0%, and only all is 100%. */
export const formatShare = (share: number) =>
  `${Math.min(share < 1 ? 99 : 100, Math.max(share > 0 ? 1 : 0, Math.round(share * 100)))}%`;

export interface ScaleStep {
  /** The least value of the step. */
  from: number;
  label: string;
  colour: string;
}

// Written out: Tailwind leaves out the variables that it does not find.
const COLOURS = [
  'var(--color-scale-1)',
  'var(--color-scale-2)',
  'var(--color-scale-3)',
  'var(--color-scale-4)',
  'var(--color-scale-5)',
];

/** The steps of the colours: fifths of a share, or about as many districts in each step of a count. */
export function buildScale(metric: Metric, districts: CoverageFigures[]): ScaleStep[] {
  const starts =
    metric === 'share' ? [0, 0.2, 0.4, 0.6, 0.8] : findStarts(districts.map((each) => measure(metric, each)));
  return starts.map((from, nth) => ({
    from,
    label: metric === 'share' ? `${from * 100}–${from * 100 + 20}%` : formatRange(from, starts[nth + 1]),
    // Fewer steps are spread over the colours.
    colour: COLOURS[starts.length === 1 ? 4 : Math.round((nth * 4) / (starts.length - 1))] ?? '',
  }));
}

/** The colour of a value; undefined for none. */
export const findColour = (scale: ScaleStep[], value: number | undefined) =>
  value === undefined ? undefined : scale.findLast(({ from }) => value >= from)?.colour;

function findStarts(values: (number | undefined)[]): number[] {
  const counts = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (!counts.length) return [];
  const starts = [0, 0.2, 0.4, 0.6, 0.8].map((share) => roundDown(counts[Math.floor(share * counts.length)] ?? 1));
  return [...new Set(starts)];
}

/** To two digits: 1,234 is 1,200. */
function roundDown(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.floor(count / unit) * unit;
}

function formatRange(from: number, next: number | undefined): string {
  if (next === undefined) return `${formatCount(from)} or more`;
  return next - 1 === from ? formatCount(from) : `${formatCount(from)}–${formatCount(next - 1)}`;
}
