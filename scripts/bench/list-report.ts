import type { Measured, Ratio } from './bench.ts';
import { at, figure, median, table } from './figures.ts';
import type { TimedCall, TimedLists } from './list-calls.ts';
import type { Changes } from './list-changes.ts';
import { CALLERS, type HttpFigures } from './list-http.ts';

const SLOWEST = 10;

export interface AtSize {
  leads: number;
  before: TimedLists;
  /** Directly after a bulk change. */
  after: TimedLists;
  http: HttpFigures;
  changes: Changes;
}

interface Line {
  name: string;
  value: (size: AtSize) => number;
  /** The bar at a size, where there is one. */
  bar?: (leads: number) => number | undefined;
  /** Without it, less is better. */
  more?: boolean;
  digits?: number;
}

const at95 = (calls: TimedCall[]) =>
  at(
    calls.map(({ took }) => took),
    0.95,
  );
const longest = (calls: TimedCall[]) => Math.max(...calls.map(({ took }) => took));
const BAR_95 = (leads: number) => ({ 100000: 40, 1000000: 200 })[leads];
const BAR_LONGEST = (leads: number) => (leads === 1_000_000 ? 400 : undefined);
const atSmallest = (bar: number) => (leads: number) => (leads === 10_000 ? bar : undefined);

const LINES: Line[] = [
  { name: 'lists, ms, median', value: ({ before }) => median(before.lists.map(({ took }) => took)) },
  { name: 'lists, ms, 95%', value: ({ before }) => at95(before.lists), bar: BAR_95 },
  { name: 'lists, ms, maximum', value: ({ before }) => longest(before.lists), bar: BAR_LONGEST },
  { name: 'the same after a bulk change, 95%', value: ({ after }) => at95(after.lists), bar: BAR_95 },
  { name: 'the same after a bulk change, maximum', value: ({ after }) => longest(after.lists), bar: BAR_LONGEST },
  { name: 'default list, ms', value: ({ before }) => before.defaultList.took, bar: () => 10 },
  { name: 'default list after a bulk change, ms', value: ({ after }) => after.defaultList.took, bar: () => 10 },
  { name: 'choices of the filter, ms, slowest', value: ({ before }) => longest(before.choices), bar: () => 50 },
  { name: 'choices after a bulk change, ms, slowest', value: ({ after }) => longest(after.choices), bar: () => 50 },
  { name: 'a name of two letters that no lead has, ms (no bar)', value: ({ before }) => before.shortName.took },
  {
    name: `first page by ${CALLERS} callers, requests a second`,
    value: ({ http }) => http.firstPage.http,
    bar: atSmallest(800),
    more: true,
    digits: 0,
  },
  {
    name: 'times the same statements by the bare driver',
    value: ({ http }) => ratio(http.firstPage),
    bar: () => 2,
    digits: 2,
  },
  { name: "server's processor time for one, ms", value: ({ http }) => http.firstPage.cpu, digits: 2 },
  {
    name: `a holder's list of one status, times plain SQL with its count, ${CALLERS} callers`,
    value: ({ http }) => ratio(http.holderStatus),
    bar: atSmallest(2),
    digits: 2,
  },
  { name: 'the same by one caller', value: ({ http }) => ratio(http.holderStatusByOne), bar: atSmallest(2), digits: 2 },
  { name: 'status change over HTTP, ms', value: ({ changes }) => changes.http, digits: 2 },
  {
    name: 'times a bare update',
    value: ({ changes }) => changes.http / changes.bare,
    bar: atSmallest(4),
    digits: 2,
  },
  {
    name: "bare update, times the same without the list's indexes",
    value: ({ changes }) => changes.bare / changes.unindexed,
    bar: () => 1.5,
    digits: 2,
  },
];

const ratio = ({ http, bare }: { http: number; bare: number }) => bare / http;

/** One table with the bars, and the slowest lists at the largest size. */
export function report(measured: AtSize[]): Measured {
  const largest = measured.at(-1);
  if (!largest) return { text: '', ratios: {} };
  const lists = table(
    [`${largest.before.lists.length} lists over HTTP`, ...measured.map(({ leads }) => `${figure(leads)} leads`)],
    LINES.map((line) => [line.name, ...measured.map((size) => cell(line, size))]),
  );
  const slowest = table(
    [`slowest lists at ${figure(largest.leads)} leads`, 'ms'],
    largest.before.lists
      .toSorted((a, b) => b.took - a.took)
      .slice(0, SLOWEST)
      .map(({ name, took }) => [name, figure(took, 1)]),
  );
  const lower = (value: number): Ratio => ({ value, better: 'lower' });
  return {
    text: `${lists}\n\n${slowest}`,
    ratios: {
      'list, first page to the bare driver': lower(ratio(largest.http.firstPage)),
      "list, a holder's status to plain SQL": lower(ratio(largest.http.holderStatus)),
      'list, status change to a bare update': lower(largest.changes.http / largest.changes.bare),
      'list, bare update to one without indexes': lower(largest.changes.bare / largest.changes.unindexed),
    },
  };
}

function cell({ value, bar, more = false, digits = 1 }: Line, size: AtSize): string {
  const measured = value(size);
  const limit = bar?.(size.leads);
  const text = figure(measured, digits);
  if (limit === undefined) return text;
  const met = more ? measured >= limit : measured <= limit;
  return `${text} (${more ? '≥' : '≤'} ${limit}: ${met ? 'pass' : 'FAIL'})`;
}
