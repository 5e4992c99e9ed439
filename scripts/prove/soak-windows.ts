import type { RequestContext } from './asker.ts';
import type { Vitals } from './probe.mjs';

/** What was measured in one stretch of the soak. */
export interface Window extends Vitals {
  seconds: number;
  requests: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  memoryMb: number;
  openFiles: number;
  /** Of the database server. */
  connections: number | undefined;
}

const WARM_UP_SHARE = 0.1;

/** How much more the last third may have than the first: a share of it, and an amount that is noise. */
const MARGINS: { name: string; of: (window: Window) => number; share: number; amount: number; unit: string }[] = [
  { name: 'memory held by JavaScript', of: ({ heapMb }) => heapMb, share: 0.1, amount: 5, unit: 'MB' },
  { name: 'memory of the process', of: ({ memoryMb }) => memoryMb, share: 0.1, amount: 25, unit: 'MB' },
  { name: 'median latency', of: ({ p50 }) => p50, share: 0.25, amount: 5, unit: 'ms' },
  { name: '95% latency', of: ({ p95 }) => p95, share: 0.25, amount: 25, unit: 'ms' },
  {
    name: "open files and sockets, callers' left out",
    of: ({ openFiles }) => openFiles,
    share: 0.1,
    amount: 10,
    unit: '',
  },
  { name: "timers and handles, callers' left out", of: ({ handles }) => handles, share: 0.1, amount: 10, unit: '' },
];

/** The medians of the first and the last third, without the warm-up, and whether the last is still as good. */
export function judge(windows: Window[]) {
  const warm = windows.slice(Math.ceil(windows.length * WARM_UP_SHARE));
  const third = Math.max(1, Math.floor(warm.length / 3));
  return MARGINS.map(({ name, of, share, amount, unit }) => {
    const first = median(warm.slice(0, third).map(of));
    const last = median(warm.slice(-third).map(of));
    const most = first * (1 + share) + amount;
    return { name, first, last, most, unit, flat: last <= most };
  });
}

/** Gathers answers; `take` gives what came since the last time. */
export function createTimes() {
  let times: number[] = [];
  const byKind = new Map<string, number[]>();
  const failures = new Map<string, number>();
  return {
    record(kind: string, { status, ms, body, error }: RequestContext<unknown>) {
      times.push(ms);
      const known = byKind.get(kind) ?? [];
      known.push(ms);
      byKind.set(kind, known);
      // A lead that somebody else was given meanwhile is refused, as it should be.
      const gone = body.code === 'not_your_lead' || body.code === 'not_found';
      if ((status >= 200 && status < 300) || gone) return;
      const what = `${kind}: ${status} ${body.code ?? error ?? ''}`;
      failures.set(what, (failures.get(what) ?? 0) + 1);
    },
    take() {
      const sorted = times.toSorted((a, b) => a - b);
      times = [];
      const at = (share: number) => quantile(sorted, share);
      return { requests: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
    },
    byKind,
    failures,
  };
}

export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const median = (values: number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

export function markdownOf(windows: Window[], byKind: Map<string, number[]>): string {
  const head =
    'seconds | requests/s | p50 ms | p95 ms | p99 ms | max ms | process MB | heap MB | loop p99 ms | open files | database connections';
  const rows = windows.map((w) =>
    [
      w.seconds.toFixed(0),
      (w.requests / w.seconds).toFixed(1),
      ...[w.p50, w.p95, w.p99, w.max].map((ms) => ms.toFixed(0)),
      w.memoryMb.toFixed(0),
      w.heapMb.toFixed(1),
      w.loopP99Ms.toFixed(0),
      w.openFiles,
      w.connections ?? '–',
    ].join(' | '),
  );
  const kinds = [...byKind].map(([kind, times]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => quantile(sorted, share).toFixed(0);
    return `| ${kind} | ${times.length} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${at(1)} |`;
  });
  const thirds = judge(windows).map(
    ({ name, first, last, most, unit }) =>
      `| ${name} | ${first.toFixed(1)} ${unit} | ${last.toFixed(1)} ${unit} | ${most.toFixed(1)} ${unit} |`,
  );
  return [
    '| | first third | last third | would fail above |',
    '|---|---|---|---|',
    ...thirds,
    '',
    `| ${head} |`,
    `|${'---|'.repeat(head.split('|').length)}`,
    ...rows.map((row) => `| ${row} |`),
    '',
    '| request | how many | p50 ms | p95 ms | p99 ms | max ms |',
    '|---|---|---|---|---|---|',
    ...kinds,
    '',
  ].join('\n');
}
