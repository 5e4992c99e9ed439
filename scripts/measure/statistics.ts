/** The value that this share of all values does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export const median = (values: number[]) => quantile(values, 0.5);
export const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export const formatNumber = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Minimum and maximum. */
export const formatRange = (values: number[], digits = 0) =>
  `${formatNumber(Math.min(...values), digits)} to ${formatNumber(Math.max(...values), digits)}`;

/** Median, 95% and maximum, in milliseconds. */
export const formatTimes = (values: number[], digits = 0) =>
  `${[0.5, 0.95, 1].map((share) => formatNumber(quantile(values, share), digits)).join(' / ')} ms`;

export function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
