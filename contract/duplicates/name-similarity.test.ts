import { expect, test } from 'vitest';
import { nameSimilarity } from './name-similarity.ts';

test.each([
  ['blue door bakery', 'blue door bakery', 1, 1],
  ['blue door bakery', 'blue dooor bakery', 0.9, 0.99],
  ['blue door bakery', 'bleu door bakery', 0.9, 0.99],
  ['j hartley plumbing', 'john hartley plumbing', 0.9, 0.99],
  ['dental practice york', 'york dental practice', 1, 1],
  ['blue door', 'blue door bakery', 0.7, 0.9],
  ['blue door bakery', 'blue door barbers', 0.5, 0.7],
  ['blue door bakery', 'hartley motors', 0, 0.2],
  ['retail park gate 12', 'retail park gate 13', 0.3, 0.5],
  ['retail park gate 12', 'retail park gate', 0.7, 0.9],
  ['no 1 cafe 2go', '1 cafe no 2go', 1, 1],
])('%s and %s', (a, b, from, to) => {
  expect(nameSimilarity(a, b)).toBeGreaterThanOrEqual(from);
  expect(nameSimilarity(a, b)).toBeLessThanOrEqual(to);
});
