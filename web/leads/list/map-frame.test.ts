import { expect, test } from 'vitest';
import { frameOf } from './map-frame.ts';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

test('no place at all: about the middle of the USA', () => {
  expect(frameOf([])).toEqual({ centre: [39.8283, -98.5795], zoom: 4 });
});

test('one place is shown from close by', () => {
  expect(frameOf([at(53.8, -1.55)])).toEqual({ centre: [53.8, -1.55], zoom: 13 });
});

test.each([
  [20.1, 4],
  [20, 5],
  [10.1, 5],
  [10, 6],
  [5.1, 6],
  [5, 8],
  [1.1, 8],
  [1, 9],
  [0.6, 9],
  [0.5, 11],
  [0.11, 11],
  [0.09, 12],
  [0.06, 12],
  [0.04, 13],
  [0, 13],
])('places %s degrees apart are seen at zoom %s, whichever way they lie', (span, zoom) => {
  expect(frameOf([at(0, 0), at(span, 0)]).zoom).toBe(zoom);
  expect(frameOf([at(0, 0), at(0, span)]).zoom).toBe(zoom);
});

test('the centre is the average, not the middle', () => {
  expect(frameOf([at(50, 0), at(50, 0), at(56, -3)]).centre).toEqual([52, -1]);
});

test('very many places are no trouble', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => at(50 + (index % 100) / 100, -1));
  expect(frameOf(many)).toMatchObject({ zoom: 9 });
});
