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
  /** The upper limit at a size, where there is one. */
  maximum?: (leads: number) => number | undefined;
  minimum?: (leads: number) => number | undefined;
}

const times = ({ lists }: ListTimes) => lists.map(({ ms }) => ms);
const slowdown = ({ http, bare }: { http: Cost; bare: Cost }) => http.wall / bare.wall;
const atSmallest = (limit: number) => (leads: number) => (leads === 10_000 ? limit : undefined);
const LIMIT_95 = (leads: number) => ({ 100000: 40, 1000000: 200 })[leads];
const LIMIT_MAXIMUM = (leads: number) => ({ 1000000: 400 })[leads];

/** The bars of the list. */
const LINES: Line[] = [
  { name: 'lists, ms, median', value: ({ before }) => median(times(before)) },
  { name: 'lists, ms, 95%', value: ({ before }) => quantile(times(before), 0.95), maximum: LIMIT_95 },
  { name: 'lists, ms, maximum', value: ({ before }) => Math.max(...times(before)), maximum: LIMIT_MAXIMUM },
  { name: 'after a bulk change, 95%', value: ({ after }) => quantile(times(after), 0.95), maximum: LIMIT_95 },
  { name: 'after a bulk change, maximum', value: ({ after }) => Math.max(...times(after)), maximum: LIMIT_MAXIMUM },
  { name: 'default list, ms', value: ({ before }) => before.defaultList, maximum: () => 10 },
  { name: 'default list after a bulk change, ms', value: ({ after }) => after.defaultList, maximum: () => 10 },
  { name: 'choices of the filter, ms, slowest', value: ({ before }) => before.slowestChoices, maximum: () => 50 },
  { name: 'choices after a bulk change, ms, slowest', value: ({ after }) => after.slowestChoices, maximum: () => 50 },
  { name: 'a name of two letters that no lead has, ms', value: ({ before }) => before.shortName },
  {
    name: `first page by ${CALLERS} callers, requests a second`,
    value: ({ throughput }) => 1000 / throughput.firstPage.http.wall,
    minimum: atSmallest(800),
    digits: 0,
  },
  {
    name: 'times the same statements by the bare driver',
    value: ({ throughput }) => slowdown(throughput.firstPage),
    maximum: () => 2,
    digits: 2,
  },
  { name: "server's processor time, ms", value: ({ throughput }) => throughput.firstPage.http.serverCpu, digits: 2 },
  {
    name: `a holder's list of one status, times plain SQL with its count, ${CALLERS} callers`,
    value: ({ throughput }) => slowdown(throughput.holderStatus),
    maximum: atSmallest(2),
    digits: 2,
  },
  {
    name: 'the same by one caller',
    value: ({ throughput }) => slowdown(throughput.holderStatusByOne),
    maximum: atSmallest(2),
    digits: 2,
  },
  { name: 'status change over HTTP, ms', value: ({ changes }) => changes.http, digits: 2 },
  {
    name: 'times a bare update',
    value: ({ changes }) => changes.http / changes.bare,
    maximum: atSmallest(4),
    digits: 2,
  },
  {
    name: "bare update, times the same without the list's indexes",
    value: ({ changes }) => changes.indexed / changes.unindexed,
    maximum: () => 1.5,
    digits: 2,
  },
];

/** One table with the limits, and the slowest lists at the largest size. */
export function report(sizes: ListFigures[]): Measured {
  const largest = sizes.at(-1) as ListFigures;
  const lists = markdownTable(
    [`${largest.before.lists.length} lists over HTTP`, ...sizes.map(({ leads }) => `${formatNumber(leads)} leads`)],
    LINES.map((line) => [line.name, ...sizes.map((figures) => formatCell(line, figures))]),
  );
  const slowest = largest.before.lists.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const lower = (value: number): Ratio => ({ value, better: 'lower' });
  return {
    text: `${lists}\n\n${markdownTable(
      [`slowest lists at ${formatNumber(largest.leads)} leads`, 'ms'],
      slowest.map(({ name, ms }) => [name, formatNumber(ms, 1)]),
    )}`,
    ratios: {
      'list, first page to the bare driver': lower(slowdown(largest.throughput.firstPage)),
      "list, a holder's status to plain SQL": lower(slowdown(largest.throughput.holderStatus)),
      'list, status change to a bare update': lower(largest.changes.http / largest.changes.bare),
      'list, bare update to one without indexes': lower(largest.changes.indexed / largest.changes.unindexed),
    },
  };
}

function formatCell({ value, digits = 1, maximum, minimum }: Line, figures: ListFigures): string {
  const measured = value(figures);
  const text = formatNumber(measured, digits);
  const [most, least] = [maximum?.(figures.leads), minimum?.(figures.leads)];
  if (most !== undefined) return `${text} (≤ ${most}: ${measured <= most ? 'pass' : 'FAIL'})`;
  if (least !== undefined) return `${text} (≥ ${least}: ${measured >= least ? 'pass' : 'FAIL'})`;
  return text;
}
