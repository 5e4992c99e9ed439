import { expect, test } from 'vitest';
import { boxAround, distanceFrom, metresBetween } from './geo.ts';

const leeds = { latitude: 53.7965, longitude: -1.5478 };
const bradford = { latitude: 53.7944, longitude: -1.7519 };

test('Leeds and Bradford are about 13.4 km apart, either way', () => {
  expect(metresBetween(leeds, bradford)).toBeGreaterThan(13_300);
  expect(metresBetween(leeds, bradford)).toBeLessThan(13_500);
  expect(metresBetween(bradford, leeds)).toBeCloseTo(metresBetween(leeds, bradford), 6);
  expect(metresBetween(leeds, leeds)).toBe(0);
});

test('the box touches the circle on all four sides', () => {
  const { low, high } = boxAround(leeds, 5_000);
  for (const edge of [
    { ...leeds, latitude: low.latitude },
    { ...leeds, latitude: high.latitude },
    { ...leeds, longitude: low.longitude },
    { ...leeds, longitude: high.longitude },
  ]) {
    expect(Math.abs(metresBetween(leeds, edge) - 5_000)).toBeLessThan(20);
  }
});

test('without a point there is no distance', () => {
  expect(distanceFrom(null, leeds)).toBeNull();
  expect(distanceFrom(leeds, { latitude: null, longitude: null })).toBeNull();
});
