import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { counter, gauge } from './collected.ts';
import { processMetrics } from './process-metrics.ts';

const readLines = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));

test('a value is read at each scrape, and its sample is left out when it is undefined', async () => {
  const registry = new Registry();
  const values = [3, undefined, 5];
  gauge(registry, 'depth', 'Depth', () => values.shift());
  counter(registry, 'tries_total', 'Tries', () => 7);
  expect(await readLines(registry)).toEqual(['depth 3', 'tries_total 7']);
  expect(await readLines(registry)).toEqual(['tries_total 7']);
  expect(await readLines(registry)).toEqual(['depth 5', 'tries_total 7']);
});

test('the process metrics have the names that Node dashboards use', async () => {
  const registry = new Registry();
  const stop = processMetrics(registry);
  const lines = Object.fromEntries((await readLines(registry)).map((line) => line.split(' ')));
  stop();
  expect(Number(lines.process_resident_memory_bytes)).toBeGreaterThan(10_000_000);
  expect(Number(lines.nodejs_heap_size_used_bytes)).toBeLessThanOrEqual(Number(lines.nodejs_heap_size_total_bytes));
  expect(Number(lines.process_cpu_seconds_total)).toBeGreaterThan(0);
  expect(Number(lines.process_start_time_seconds)).toBeLessThanOrEqual(Date.now() / 1000);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_eventloop_lag_max_seconds']) {
    expect(Number(lines[name])).toBeGreaterThanOrEqual(0);
  }
  expect(Number(lines.nodejs_eventloop_utilization)).toBeLessThanOrEqual(1);
});
