import { expect, test } from 'vitest';
import { appleMapsParts, googleMapsParts } from './trip-links.ts';

const at = (n: number) => ({ latitude: 53 + n / 100, longitude: -1 });
const stops = (count: number) => Array.from({ length: count }, (_, index) => at(index + 1));
const read = (url: string) => new URL(url).searchParams;

test('a short trip is one link to Google Maps, there and back', () => {
  const [part, ...others] = googleMapsParts(at(0), stops(3), 'phone');
  expect(others).toEqual([]);
  expect(part?.url).toMatch(/^https:\/\/www\.google\.com\/maps\/dir\/\?api=1&/);
  expect(Object.fromEntries(read(part?.url ?? ''))).toEqual({
    api: '1',
    origin: '53.00000,-1.00000',
    destination: '53.00000,-1.00000',
    waypoints: '53.01000,-1.00000|53.02000,-1.00000|53.03000,-1.00000',
    travelmode: 'driving',
  });
});

test.each([
  { device: 'phone' as const, count: 10, parts: 3, waypoints: 3 },
  { device: 'phone' as const, count: 25, parts: 7, waypoints: 3 },
  { device: 'phone' as const, count: 4, parts: 1, waypoints: 3 }, // without the way back
  { device: 'other' as const, count: 9, parts: 1, waypoints: 9 },
  { device: 'other' as const, count: 25, parts: 3, waypoints: 9 },
  { device: 'other' as const, count: 0, parts: 0, waypoints: 0 },
])('$count stops are $parts links for a $device, each from where the last one ends', (row) => {
  const parts = googleMapsParts(at(0), stops(row.count), row.device);
  expect(parts).toHaveLength(row.parts);
  let end = '53.00000,-1.00000';
  const visited: string[] = [];
  for (const { url } of parts) {
    const params = read(url);
    expect(params.get('origin')).toBe(end);
    end = params.get('destination') ?? '';
    const waypoints = params.get('waypoints')?.split('|') ?? [];
    expect(waypoints.length).toBeLessThanOrEqual(row.waypoints);
    visited.push(...waypoints, end);
  }
  const expected = [...stops(row.count), at(0)].map(({ latitude }) => `${latitude.toFixed(5)},-1.00000`);
  expect(visited.slice(0, row.count)).toEqual(expected.slice(0, row.count));
  // The way back is not worth a link of its own.
  expect(visited.slice(row.count)).toEqual(row.count % (row.waypoints + 1) === 0 ? [] : expected.slice(-1));
});

test('the parts name their stops', () => {
  const numbers = googleMapsParts(at(0), stops(10), 'phone').map(({ from, to }) => [from, to]);
  expect(numbers).toEqual([
    [1, 4],
    [5, 8],
    [9, 11],
  ]);
});

test('Apple Maps has a waypoint for each stop', () => {
  const [first, second, ...others] = appleMapsParts(at(0), stops(25));
  expect(others).toEqual([]);
  expect(first?.url).toMatch(/^https:\/\/maps\.apple\.com\/directions\?source=/);
  expect(read(first?.url ?? '').getAll('waypoint')).toHaveLength(13);
  expect(read(second?.url ?? '').get('source')).toBe(read(first?.url ?? '').get('destination'));
  expect(read(second?.url ?? '').get('destination')).toBe('53.00000,-1.00000');
  expect(read(second?.url ?? '').get('mode')).toBe('driving');
});
