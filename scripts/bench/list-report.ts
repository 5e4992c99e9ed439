import type { Measured, Ratio } from '../measure/results.ts';
import { formatNumber, markdownTable, median, quantile } from '../measure/statistics.ts';
import type { Cost } from './compare.ts';
import type { Changes } from './list-changes.ts';
import { CALLERS, type Throughput } from './list-throughput.ts';
import type { ListTimes } from './list-times.ts';

const SLOWEST = 10;

export interface ListFigures {
  leads: number;
  before: ListTimes;
  /** Directly after a bulk change. */
  after: ListTimes;
  throughput: Throughput;
  changes: Changes;
}

interface Line {
  name: string;
  value: (figures: ListFigures) => number;
  digits?: number;
  /** The limits by number of leads. */
  maximum?: Record<number, number>;
  minimum?: Record<number, number>;
}

const times = ({ lists }: ListTimes) => lists.map(({ ms }) => ms);
const slowdown = ({ http, bare }: { http: Cost; bare: Cost }) => http.wall / bare.wall;
const everywhere = (limit: number) => ({ 10000: limit, 100000: limit, 1000000: limit });
const LIMIT_95 = { 100000: 40, 1000000: 200 };
const LIMIT_MAXIMUM = { 1000000: 400 };

function ratio(name: string, value: Line['value'], maximum: Record<number, number>): Line {
  return { name, value, maximum, digits: 2 };
}

const LINES: Line[] = [
  { name: 'lists, ms, median', value: ({ before }) => median(times(before)) },
  { name: 'lists, ms, 95%', value: ({ before }) => quantile(times(before), 0.95), maximum: LIMIT_95 },
  { name: 'lists, ms, maximum', value: ({ before }) => Math.max(...times(before)), maximum: LIMIT_MAXIMUM },
  { name: 'after a bulk change, 95%', value: ({ after }) => quantile(times(after), 0.95), maximum: LIMIT_95 },
  { name: 'after a bulk change, maximum', value: ({ after }) => Math.max(...times(after)), maximum: LIMIT_MAXIMUM },
  { name: 'default list, ms', value: ({ before }) => before.defaultList, maximum: everywhere(10) },
  { name: 'default list after a bulk change, ms', value: ({ after }) => after.defaultList, maximum: everywhere(10) },
  { name: 'choices of the filter, ms, slowest', value: ({ before }) => before.slowestChoices, maximum: everywhere(50) },
  { name: 'choices after a bulk change, ms', value: ({ after }) => after.slowestChoices, maximum: everywhere(50) },
  { name: 'a name of two letters that no lead has, ms', value: ({ before }) => before.shortName },
  {
    name: `first page by ${CALLERS} callers, requests a second`,
    value: ({ throughput }) => 1000 / throughput.firstPage.http.wall,
    minimum: { 10000: 800 },
    digits: 0,
  },
  ratio('times the same statements, bare driver', ({ throughput }) => slowdown(throughput.firstPage), everywhere(2)),
  { name: "server's processor time, ms", value: ({ throughput }) => throughput.firstPage.http.serverCpu, digits: 2 },
  ratio("a holder's list of one status, times plain SQL", ({ throughput }) => slowdown(throughput.holder), {
    10000: 2,
  }),
  ratio('the same by one caller', ({ throughput }) => slowdown(throughput.holderByOne), { 10000: 2 }),
  { name: 'status change over HTTP, ms', value: ({ changes }) => changes.http, digits: 2 },
  ratio('times a bare update', ({ changes }) => changes.http / changes.bare, { 10000: 4 }),
  ratio('bare update, times an unindexed one', ({ changes }) => changes.indexed / changes.unindexed, everywhere(1.5)),
];

/** One table with the limits, and the slowest lists at the largest size. */
export function report(sizes: ListFigures[]): Measured {
  const { before, leads, throughput, changes } = sizes.at(-1) as ListFigures;
  const lists = markdownTable(
    [`${before.lists.length} lists over HTTP`, ...sizes.map((figures) => `${formatNumber(figures.leads)} leads`)],
    LINES.map((line) => [line.name, ...sizes.map((figures) => formatCell(line, figures))]),
  );
  const slowest = markdownTable(
    [`slowest lists at ${formatNumber(leads)} leads`, 'ms'],
    before.lists
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST)
      .map(({ name, ms }) => [name, formatNumber(ms, 1)]),
  );
  const lower = (value: number): Ratio => ({ value, better: 'lower' });
  return {
    text: `${lists}\n\n${slowest}`,
    ratios: {
      'list, first page to the bare driver': lower(slowdown(throughput.firstPage)),
      "list, a holder's status to plain SQL": lower(slowdown(throughput.holder)),
      'list, status change to a bare update': lower(changes.http / changes.bare),
      'list, bare update to one without indexes': lower(changes.indexed / changes.unindexed),
    },
  };
}

function formatCell({ value, digits = 1, maximum, minimum }: Line, figures: ListFigures): string {
  const measured = value(figures);
  const text = formatNumber(measured, digits);
  const [max, min] = [maximum?.[figures.leads], minimum?.[figures.leads]];
  if (max !== undefined) return `${text} (≤ ${max}: ${measured <= max ? 'pass' : 'FAIL'})`;
  if (min !== undefined) return `${text} (≥ ${min}: ${measured >= min ? 'pass' : 'FAIL'})`;
  return text;
}
