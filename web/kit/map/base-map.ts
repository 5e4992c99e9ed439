import { DomUtil, type LatLngTuple, type Map as LeafletMap, point, polygon, svg } from 'leaflet';
import { loadTowns, type Town } from './towns.ts';

const LAND_PANE = 'base-land';
const NAMES_PANE = 'base-names';
const CHARACTER_WIDTH = 7;
const NAME_HEIGHT = 18;

/** Below the tiles: the coast and the names of towns, so that a map without network is not empty. */
export function addBaseMap(map: LeafletMap): () => void {
  // The tiles have 200; what they cover is not seen.
  map.createPane(LAND_PANE).style.zIndex = '100';
  const names = map.createPane(NAMES_PANE);
  names.style.zIndex = '150';
  names.setAttribute('aria-hidden', 'true');
  let removed = false;
  let towns: Town[] = [];
  const redraw = () => drawNames(map, names, towns);
  map.on('zoomend moveend viewreset', redraw);
  void load().catch(() => {}); // the map works without
  return () => {
    removed = true;
    map.off('zoomend moveend viewreset', redraw);
  };

  async function load() {
    const [{ default: shapes }, loaded] = await Promise.all([import('./land.json'), loadTowns()]);
    if (removed) return;
    towns = loaded;
    addPolygons(map, shapes.neighbours, 'base-neighbours');
    addPolygons(map, shapes.land, 'base-land');
    map.attributionControl?.addAttribution('Natural Earth, GeoNames');
    map.whenReady(redraw);
  }
}

function addPolygons(map: LeafletMap, rings: number[][], className: string) {
  const renderer = svg({ pane: LAND_PANE, padding: 0.5 });
  polygon(rings.map(decodeRing), { renderer, pane: LAND_PANE, className, interactive: false, weight: 1 }).addTo(map);
}

/** Differences of longitude and latitude in thousandths of a degree. */
export function decodeRing(differences: number[]): LatLngTuple[] {
  const points: LatLngTuple[] = [];
  let [longitude, latitude] = [0, 0];
  for (let at = 0; at + 1 < differences.length; at += 2) {
    longitude += differences[at] ?? 0;
    latitude += differences[at + 1] ?? 0;
    points.push([latitude / 1_000, longitude / 1_000]);
  }
  return points;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The largest towns of the visible area whose names do not overlap. */
function drawNames(map: LeafletMap, pane: HTMLElement, towns: Town[]) {
  const bounds = map.getBounds().pad(0.1);
  const drawn: Box[] = [];
  const elements = towns.flatMap(({ name, latitude, longitude }) => {
    if (!bounds.contains([latitude, longitude])) return [];
    const { x, y } = map.latLngToLayerPoint([latitude, longitude]);
    const width = name.length * CHARACTER_WIDTH;
    const box = { left: x - width / 2, right: x + width / 2, top: y - NAME_HEIGHT / 2, bottom: y + NAME_HEIGHT / 2 };
    if (drawn.some((other) => overlap(box, other))) return [];
    drawn.push(box);
    const element = document.createElement('span');
    element.className = 'leaflet-zoom-hide base-name';
    element.textContent = name;
    DomUtil.setPosition(element, point(x, y));
    return [element];
  });
  pane.replaceChildren(...elements);
}

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
