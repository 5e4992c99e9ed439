import fc from 'fast-check';
import { expect, test } from 'vitest';
import { milesBetween, type Point } from '#contract/geo.ts';
import { legMiles, orderByNearestNeighbour, orderStops } from './trip-order.ts';

const LEEDS = { latitude: 53.7997, longitude: -1.5492 };
const YORK = { latitude: 53.9583, longitude: -1.0803 };

const roundTripMiles = (start: Point, stops: readonly Point[]) =>
  legMiles(start, stops).reduce((sum, leg) => sum + leg, 0);

const position = fc.record({
  latitude: fc.double({ min: 50, max: 58, noNaN: true }),
  longitude: fc.double({ min: -6, max: 1.5, noNaN: true }),
});
const stopsUpTo = (maxLength: number) =>
  fc.array(position, { maxLength }).map((positions) => positions.map((at, id) => ({ id, ...at })));

test('Leeds and York are 22 miles apart, in both directions', () => {
  expect(milesBetween(LEEDS, YORK)).toBeCloseTo(22, 0);
  expect(milesBetween(YORK, LEEDS)).toBeCloseTo(milesBetween(LEEDS, YORK), 9);
  expect(milesBetween(LEEDS, LEEDS)).toBe(0);
});

test('a trip has a leg to each stop and one back; without stops it has none', () => {
  expect(legMiles(LEEDS, [YORK]).map(Math.round)).toEqual([22, 22]);
  expect(legMiles(LEEDS, [])).toEqual([]);
  expect(roundTripMiles(LEEDS, [])).toBe(0);
});

test('the order has each stop once', () => {
  fc.assert(
    fc.property(position, stopsUpTo(25), (start, stops) => {
      const ids = orderStops(start, stops).map(({ id }) => id);
      expect(ids.toSorted((a, b) => a - b)).toEqual(stops.map(({ id }) => id));
    }),
  );
});

test('it is never longer than the nearest neighbour alone', () => {
  fc.assert(
    fc.property(position, stopsUpTo(25), (start, stops) => {
      const nearest = roundTripMiles(start, orderByNearestNeighbour(start, stops));
      expect(roundTripMiles(start, orderStops(start, stops))).toBeLessThanOrEqual(nearest + 1e-6);
    }),
  );
});

test('from elsewhere, it is never longer to the end than the nearest neighbour alone', () => {
  const milesTo = (end: Point, start: Point, stops: readonly Point[]) =>
    [...stops, end].reduce((sum, to, index) => sum + milesBetween(stops[index - 1] ?? start, to), 0);
  fc.assert(
    fc.property(position, position, stopsUpTo(25), (here, end, stops) => {
      const nearest = milesTo(end, here, orderByNearestNeighbour(here, stops));
      expect(milesTo(end, here, orderStops(here, stops, end))).toBeLessThanOrEqual(nearest + 1e-6);
    }),
  );
});

test('a trip whose end is beyond its stops goes towards it', () => {
  const at = (longitude: number) => ({ latitude: 53, longitude });
  // The nearest is behind: a round trip would begin with either.
  expect(orderStops(at(0), [at(0.3), at(-0.1), at(0.2)], at(0.4))).toEqual([at(-0.1), at(0.2), at(0.3)]);
});

test('stops at the same place and a start at a stop do not keep it from ending', () => {
  const same = Array.from({ length: 25 }, (_, id) => ({ id, ...LEEDS }));
  expect(orderStops(LEEDS, same)).toHaveLength(25);
});

test('a trip around a square has no crossing', () => {
  const corner = (latitude: number, longitude: number) => ({ latitude, longitude });
  const stops = [corner(53.1, -1.1), corner(53.1, -1), corner(53, -1.1)];
  const order = orderStops(corner(53, -1), stops);
  expect(order[1]).toEqual(corner(53.1, -1.1));
});

test('trips of up to seven stops are near the shortest one', () => {
  const ratios: number[] = [];
  fc.assert(
    fc.property(position, stopsUpTo(7), (start, stops) => {
      fc.pre(stops.length > 2);
      const shortest = Math.min(...permutations(stops).map((order) => roundTripMiles(start, order)));
      const ratio = roundTripMiles(start, orderStops(start, stops)) / Math.max(shortest, 1e-9);
      ratios.push(ratio);
      expect(ratio).toBeLessThan(1.3);
    }),
    { numRuns: 60, seed: 1 },
  );
  const average = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  expect(average).toBeLessThan(1.03);
});

function permutations<T extends Point>(stops: readonly T[]): T[][] {
  if (stops.length === 0) return [[]];
  return stops.flatMap((stop, index) =>
    permutations(stops.filter((_, other) => other !== index)).map((rest) => [stop, ...rest]),
  );
}
