import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { counter, gauge } from './readings.ts';

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Memory, processor and event loop, by the names that dashboards for Node know. Returns what ends the watching. */
export function processMetrics(registry: Registry): () => void {
  const startedAt = Date.now() / 1000 - process.uptime();
  gauge(registry, 'process_start_time_seconds', 'When this process started', () => startedAt);
  counter(registry, 'process_cpu_seconds_total', 'Processor time of all threads', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  });
  gauge(registry, 'process_resident_memory_bytes', 'Memory of the whole process', () => process.memoryUsage.rss());
  gauge(registry, 'nodejs_heap_size_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
  gauge(registry, 'nodejs_heap_size_total_bytes', 'Heap taken from the system', () => process.memoryUsage().heapTotal);
  gauge(registry, 'nodejs_external_memory_bytes', 'Memory outside the heap', () => process.memoryUsage().external);

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / NANOSECONDS : 0);
  gauge(registry, 'nodejs_eventloop_lag_p99_seconds', 'How late timers ran, since the last reading', () =>
    seconds(delay.percentile(99)),
  );
  gauge(registry, 'nodejs_eventloop_lag_max_seconds', 'The latest of them', () => {
    const longest = seconds(delay.max);
    delay.reset();
    return longest;
  });
  let before = performance.eventLoopUtilization();
  gauge(registry, 'nodejs_eventloop_utilization', 'Share of the time that it was busy, since the last reading', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  });
  return () => void delay.disable();
}
