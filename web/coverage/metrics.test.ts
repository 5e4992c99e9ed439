import { expect, test } from 'vitest';
import { buildScale, findColour, formatMetric, formatShare, measure } from './metrics.ts';

const figures = { known: 9, leads: 8, contacted: 6, won: 2, customers: 1 };
const none = { known: 0, leads: 0, contacted: 0, won: 0, customers: 0 };

test.each([
  ['share', 0.75, '75%'],
  ['leads', 8, '8'],
  ['known', 9, '9'],
  ['contacted', 6, '6'],
  ['never', 2, '2'],
  ['won', 2, '2'],
  ['customers', 1, '1'],
] as const)('%s is %d, shown as %s', (metric, value, text) => {
  expect(measure(metric, figures)).toBe(value);
  expect(formatMetric(metric, figures)).toBe(text);
});

test('there is no share of no leads, and no colour for none', () => {
  expect(formatMetric('share', none)).toBe('–');
  expect(formatMetric('leads', none)).toBe('0');
  const scale = buildScale('leads', [none, figures]);
  expect(findColour(scale, measure('leads', none))).toBeUndefined();
  expect(findColour(scale, measure('share', { ...figures, contacted: 0 }))).toBeUndefined();
});

test.each([
  [0, '0%'],
  [0.001, '1%'],
  [0.5, '50%'],
  [0.999, '99%'],
  [1, '100%'],
])('a share of %d is %s', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test('a share has five equal steps, none contacted the first colour and all the last', () => {
  const scale = buildScale('share', []);
  expect(scale.map(({ label }) => label)).toEqual(['0–20%', '20–40%', '40–60%', '60–80%', '80–100%']);
  expect(findColour(scale, 0)).toBe('var(--color-scale-1)');
  expect(findColour(scale, 0.2)).toBe('var(--color-scale-2)');
  expect(findColour(scale, 1)).toBe('var(--color-scale-5)');
});

test('the steps of a count have about as many districts each, and round numbers', () => {
  const counts = Array.from({ length: 100 }, (_, nth) => ({ ...none, leads: (nth + 1) ** 2 }));
  const scale = buildScale('leads', [...counts, none]);
  expect(scale.map(({ label }) => label)).toEqual([
    '1–439',
    '440–1,599',
    '1,600–3,699',
    '3,700–6,499',
    '6,500 or more',
  ]);
});

test('few different counts have fewer steps, spread over the colours', () => {
  const leads = [1, 1, 1, 2, 3].map((count) => ({ ...none, leads: count }));
  const scale = buildScale('leads', leads);
  expect(scale.map(({ label, colour }) => [label, colour])).toEqual([
    ['1', 'var(--color-scale-1)'],
    ['2', 'var(--color-scale-3)'],
    ['3 or more', 'var(--color-scale-5)'],
  ]);
  expect(buildScale('leads', [{ ...none, leads: 4 }]).map(({ label }) => label)).toEqual(['4 or more']);
  expect(buildScale('leads', [none])).toEqual([]);
});
