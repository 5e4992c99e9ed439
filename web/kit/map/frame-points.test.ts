import { map as createMap, type Map as LeafletMap } from 'leaflet';
import { expect, test, vi } from 'vitest';
import { framePoints } from './frame-points.ts';

/** jsdom has no layout. */
function aMap(width: number, height: number): LeafletMap {
  const container = document.createElement('div');
  vi.spyOn(container, 'clientWidth', 'get').mockReturnValue(width);
  vi.spyOn(container, 'clientHeight', 'get').mockReturnValue(height);
  return createMap(container);
}

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const around = (latitude: number, longitude: number, degrees: number) =>
  Array.from({ length: 30 }, (_, index) =>
    at(latitude + (degrees * (index % 6)) / 6, longitude + (degrees * Math.floor(index / 6)) / 5),
  );

test.each([
  ['1440×900', 1_050, 420],
  ['1280×720', 900, 320],
  ['390×844', 358, 500],
])('all points are in view at %s, with room for their pins', (_, width, height) => {
  for (const points of [
    around(53.7, -1.7, 0.09),
    around(53.7, -1.7, 0.4),
    around(52, -2, 4),
    [at(50.1, -5.5), ...around(55.9, -3.2, 0.1)],
    [at(49, -123), at(-34, 151)],
  ]) {
    const map = aMap(width, height);
    framePoints(map, points);
    for (const { latitude, longitude } of points) {
      const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
      expect(x).toBeGreaterThanOrEqual(14);
      expect(x).toBeLessThanOrEqual(width - 14);
      expect(y).toBeGreaterThanOrEqual(36);
      expect(y).toBeLessThanOrEqual(height);
    }
  }
});

test('where they fit, the zoom follows the span: a point is shown at zoom 13', () => {
  const map = aMap(1_050, 600);
  framePoints(map, [at(53.8, -1.55)]);
  expect(map.getZoom()).toBe(13);
  expect(map.getCenter()).toMatchObject({ lat: 53.8, lng: -1.55 });
  framePoints(map, [at(53.8, -1.55), at(53.83, -1.51)]);
  expect(map.getZoom()).toBe(13);
});

test('a map without a size waits for it', () => {
  const map = aMap(0, 0);
  framePoints(map, [at(50, -5), at(55, 0)]);
  expect(map.getZoom()).toBe(8);
});
