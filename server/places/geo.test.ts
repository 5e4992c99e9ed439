import { expect, test } from 'vitest';
import { metresBetween } from '#contract/geo.ts';
import { boxAround, cellsAround, distanceFrom } from './geo.ts';

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

test.each([1, 800, 5_000, 50_000])('every point within %d m is in one of the cells', (radiusMetres) => {
  for (const centre of [leeds, { latitude: 60.15, longitude: -1.15 }, { latitude: 51.4779, longitude: -0.0015 }]) {
    const cells = cellsAround(centre, radiusMetres);
    expect(new Set(cells).size).toBe(cells.length);
    const { low, high } = boxAround(centre, radiusMetres);
    for (let north = 0; north <= 10; north += 1) {
      for (let east = 0; east <= 10; east += 1) {
        const latitude = low.latitude + ((high.latitude - low.latitude) * north) / 10;
        const longitude = low.longitude + ((high.longitude - low.longitude) * east) / 10;
        expect(cells).toContain(Math.floor(latitude * 20) * 10_000 + Math.floor(longitude * 20));
      }
    }
  }
});
