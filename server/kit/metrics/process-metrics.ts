import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { counter, gauge } from './collected.ts';

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Memory, CPU and event loop, by the names that Node dashboards use. Returns what stops the measuring. */
export function processMetrics(registry: Registry): () => void {
  const startedAt = Date.now() / 1000 - process.uptime();
  gauge(registry, 'process_start_time_seconds', 'When this process started', () => startedAt);
  counter(registry, 'process_cpu_seconds_total', 'CPU time of all threads', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  });
  gauge(registry, 'process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge(registry, 'nodejs_heap_size_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
  gauge(
    registry,
    'nodejs_heap_size_total_bytes',
    'Heap allocated from the system',
    () => process.memoryUsage().heapTotal,
  );
  gauge(registry, 'nodejs_external_memory_bytes', 'Memory outside the heap', () => process.memoryUsage().external);

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / NANOSECONDS : 0);
  gauge(
    registry,
    'nodejs_eventloop_lag_p99_seconds',
    '99th percentile of the event loop delay since the last scrape',
    () => seconds(delay.percentile(99)),
  );
  gauge(registry, 'nodejs_eventloop_lag_max_seconds', 'Maximum event loop delay since the last scrape', () => {
    const max = seconds(delay.max);
    delay.reset();
    return max;
  });
  let before = performance.eventLoopUtilization();
  gauge(
    registry,
    'nodejs_eventloop_utilization',
    'Share of time that the event loop was busy since the last scrape',
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
  );
  return () => void delay.disable();
}
