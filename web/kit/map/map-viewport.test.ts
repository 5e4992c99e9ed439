import { expect, test } from 'vitest';
import { fitPopup, fitViewport, ZOOM_BUTTONS_WIDTH } from './map-viewport.ts';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

test('no points: about the middle of the USA', () => {
  expect(fitViewport([])).toEqual({ centre: [39.8283, -98.5795], zoom: 4 });
});

test('a single point is shown at zoom 13', () => {
  expect(fitViewport([at(53.8, -1.55)])).toEqual({ centre: [53.8, -1.55], zoom: 13 });
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
])('points %s degrees apart, in either direction, are shown at zoom %s', (span, zoom) => {
  expect(fitViewport([at(0, 0), at(span, 0)]).zoom).toBe(zoom);
  expect(fitViewport([at(0, 0), at(0, span)]).zoom).toBe(zoom);
});

test('the centre is the average, not the middle of the bounds', () => {
  expect(fitViewport([at(50, 0), at(50, 0), at(56, -3)]).centre).toEqual([52, -1]);
});

test('200,000 points do not overflow the stack', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => at(50 + (index % 100) / 100, -1));
  expect(fitViewport(many)).toMatchObject({ zoom: 9 });
});

test.each([
  { mapWidth: 1_024, minWidth: 220, maxWidth: 300 },
  { mapWidth: 356, minWidth: 220, maxWidth: 252 },
  { mapWidth: 288, minWidth: 184, maxWidth: 184 },
])('a popup fits beside the zoom buttons of a map $mapWidth px wide', ({ mapWidth, ...widths }) => {
  expect(fitPopup(mapWidth)).toEqual(widths);
  expect(widths.maxWidth + ZOOM_BUTTONS_WIDTH).toBeLessThan(mapWidth);
});
