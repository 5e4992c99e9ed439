import { type LatLngBounds, type Map as LeafletMap, latLngBounds } from 'leaflet';
import { fitViewport, type Point } from './map-viewport.ts';

/** Room for the pins, which stand above their points, for the zoom buttons on the left and the attribution below. */
const ROOM = { top: 48, left: 64, right: 24, bottom: 32 };

/** Moves the map to where all points are in view, in its real size. */
export function framePoints(map: LeafletMap, points: readonly Point[]) {
  const { centre, zoom } = fitViewport(points);
  map.setView(centre, zoom, { animate: false });
  if (isFramed(map, points)) return;
  map.fitBounds(findBounds(points), {
    paddingTopLeft: [ROOM.left, ROOM.top],
    paddingBottomRight: [ROOM.right, ROOM.bottom],
    maxZoom: zoom,
    animate: false,
  });
}

/** Whether all points are in view, with room for their pins. Also while the map has no size, as in a hidden tab. */
export function isFramed(map: LeafletMap, points: readonly Point[]): boolean {
  const size = map.getSize();
  if (points.length < 2 || size.x === 0 || size.y === 0) return true;
  const bounds = findBounds(points);
  const topLeft = map.latLngToContainerPoint(bounds.getNorthWest());
  const bottomRight = map.latLngToContainerPoint(bounds.getSouthEast());
  return (
    topLeft.x >= ROOM.left &&
    topLeft.y >= ROOM.top &&
    bottomRight.x <= size.x - ROOM.right &&
    bottomRight.y <= size.y - ROOM.bottom
  );
}

const findBounds = (points: readonly Point[]): LatLngBounds =>
  latLngBounds(points.map(({ latitude, longitude }) => [latitude, longitude]));
