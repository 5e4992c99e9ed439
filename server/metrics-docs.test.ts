import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readEnv } from './kit/env.ts';
import { createMetrics, productMetrics } from './metrics.ts';
import { ROOT } from './paths.ts';

let names: string[];
beforeAll(() => {
  const { registry, stop } = createMetrics();
  productMetrics(registry, {
    database: { pool: {}, retries: () => 0 } as never,
    env: readEnv({}),
    clock: () => new Date(),
    liveEvents: { isListening: () => true } as never,
    openStreams: () => 0,
  });
  stop();
  names = registry.getMetricsAsArray().map(({ name }) => name);
});

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const namedIn = (text: string) =>
  [...text.matchAll(/\b(?:highstreet|process|nodejs)_[a-z0-9]+_?[a-z0-9_]*\b/g)].map(([name]) => name);

test('every metric is described, once', () => {
  const table = textOf('docs/operations.md').match(/^\| Metric \|[\s\S]*?\n\n/m)?.[0] ?? '';
  expect([...table.matchAll(/`((?:highstreet|process|nodejs)_\w+)`/g)].map(([, name]) => name).sort()).toEqual(
    [...names].sort(),
  );
});

test.each(['packaging/grafana/highstreet.json', 'packaging/prometheus/highstreet-alerts.yml'])(
  '%s asks for metrics that exist',
  (file) => {
    const asked = [...new Set(namedIn(textOf(file)).map((name) => name.replace(/_(count|sum|bucket)$/, '')))];
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((name) => !names.includes(name))).toEqual([]);
  },
);

test('every alert has its line on what to do', () => {
  const alerts = [...textOf('packaging/prometheus/highstreet-alerts.yml').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const lines = [...textOf('docs/operations.md').matchAll(/^\| (Highstreet\w+) \|/gm)].map(([, name]) => name);
  expect(lines).toEqual(alerts);
});
