/** The value that this share of all values does not exceed. */
export function at(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export const median = (values: number[]) => at(values, 0.5);

/** From the least to the most: what a figure's spread was. */
export const range = (values: number[], digits = 0) =>
  `${figure(Math.min(...values), digits)} to ${figure(Math.max(...values), digits)}`;

export const figure = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Median, 95% and the longest, in milliseconds. */
export const times = (values: number[], digits = 0) =>
  `${figure(median(values), digits)} / ${figure(at(values, 0.95), digits)} / ${figure(at(values, 1), digits)} ms`;

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
