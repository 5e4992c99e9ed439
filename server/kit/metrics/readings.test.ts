import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { processMetrics } from './process-metrics.ts';
import { counter, gauge, orNothing, shared } from './readings.ts';

const linesOf = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));

test('a number is read anew each time, and left out when there is none', async () => {
  const registry = new Registry();
  const values = [3, undefined, 5];
  gauge(registry, 'depth', 'How deep', () => values.shift());
  counter(registry, 'tries_total', 'How often', () => 7);
  expect(await linesOf(registry)).toEqual(['depth 3', 'tries_total 7']);
  expect(await linesOf(registry)).toEqual(['tries_total 7']);
  expect(await linesOf(registry)).toEqual(['depth 5', 'tries_total 7']);
});

test('an answer is shared for a while', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked;
  };
  const patient = shared(60_000, ask);
  expect(await Promise.all([patient(), patient()])).toEqual([1, 1]);
  const impatient = shared(0, ask);
  expect([await impatient(), await impatient()]).toEqual([2, 3]);
});

test('what fails or does not come in time is nothing', async () => {
  expect(await orNothing(60_000, Promise.resolve(1))).toBe(1);
  expect(await orNothing(60_000, Promise.reject(new Error('gone')))).toBeUndefined();
  expect(await orNothing(1, new Promise(() => {}))).toBeUndefined();
});

test('the process is described by the names that dashboards for Node know', async () => {
  const registry = new Registry();
  const stop = processMetrics(registry);
  const lines = Object.fromEntries((await linesOf(registry)).map((line) => line.split(' ')));
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
