import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readEnv } from './kit/env.ts';
import { createMetrics, registerProductMetrics } from './metrics.ts';
import { ROOT } from './paths.ts';

let names: string[];
beforeAll(() => {
  const { registry, stop } = createMetrics();
  registerProductMetrics(registry, {
    database: { pool: {}, retries: () => 0 } as never,
    env: readEnv({}),
    clock: () => new Date(),
    liveEvents: { isListening: () => true } as never,
    openStreams: () => 0,
    remindersSent: () => 0,
    housekeeping: { deleted: () => ({}), failures: () => 0 },
    runningImports: { isRunning: () => false },
    webhookAttempts: () => ({}),
    problems: async () => [],
  });
  stop();
  names = registry.getMetricsAsArray().map(({ name }) => name);
});

const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const findMetricNames = (text: string) =>
  [...text.matchAll(/\b(?:highstreet|process|nodejs)_[a-z0-9]+_?[a-z0-9_]*\b/g)].map(([name]) => name);

test('docs/operations.md describes every metric once', () => {
  const table = readText('docs/operations.md').match(/^\| Metric \|[\s\S]*?\n\n/m)?.[0] ?? '';
  expect([...table.matchAll(/`((?:highstreet|process|nodejs)_\w+)`/g)].map(([, name]) => name).sort()).toEqual(
    [...names].sort(),
  );
});

test.each(['packaging/grafana/highstreet.json', 'packaging/prometheus/highstreet-alerts.yml'])(
  '%s uses only metrics that exist',
  (file) => {
    const used = [...new Set(findMetricNames(readText(file)).map((name) => name.replace(/_(count|sum|bucket)$/, '')))];
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
  },
);

test('docs/operations.md says what to do about every alert', () => {
  const alerts = [...readText('packaging/prometheus/highstreet-alerts.yml').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const lines = [...readText('docs/operations.md').matchAll(/^\| (Highstreet\w+) \|/gm)].map(([, name]) => name);
  expect(lines).toEqual(alerts);
});
