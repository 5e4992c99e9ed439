import { type LatLngTuple, type Map as LeafletMap, polygon, svg } from 'leaflet';
import { decodeRing } from './base-map.ts';

const SEA_PANE = 'sea';
/** Larger than any part of the map that is drawn. */
const WORLD: LatLngTuple[] = [
  [30, -40],
  [30, 30],
  [75, 30],
  [75, -40],
];
/** West of Northern Ireland and of St Kilda lies only the Republic of Ireland. */
const WESTERNMOST_BRITISH = -8.7;

/** Covers what was drawn in the sea and in other countries, so that shapes on the land end at the coast. */
export async function addSeaMask(map: LeafletMap, zIndex: number): Promise<void> {
  const pane = map.createPane(SEA_PANE);
  pane.style.zIndex = String(zIndex);
  const { default: shapes } = await import('./land.json');
  if (!map.getPane(SEA_PANE)) return; // removed meanwhile
  const land = shapes.land.map(decodeRing);
  const isForeign = (ring: LatLngTuple[]) => ring.some(([, longitude]) => longitude < WESTERNMOST_BRITISH);
  const holes = land.filter((ring) => !isForeign(ring));
  const foreign = [...land.filter(isForeign), ...shapes.neighbours.map(decodeRing)];
  const options = { renderer: svg({ pane: SEA_PANE, padding: 0.5 }), pane: SEA_PANE, weight: 1 };
  // Interactive without a handler: it keeps the pointer away from what it covers.
  polygon([WORLD, ...holes], { ...options, className: 'sea-mask' }).addTo(map);
  polygon(foreign, { ...options, className: 'base-neighbours sea-mask-land' }).addTo(map);
}
