import { Delaunay } from 'd3-delaunay';
import { CRS, canvas, type LatLngTuple, type Map as LeafletMap, latLng, type Polygon, point, polygon } from 'leaflet';
import { addSeaMask } from '#web/kit/map/sea-mask.ts';

const CELLS_PANE = 'district-cells';
/** Above the land (100) and below the names of towns (150). */
const CELLS_Z = 110;
const SEA_Z = 120;
/** The corners of what the cells at the edge end at. */
const SOUTH_WEST = { latitude: 48.5, longitude: -10 };
const NORTH_EAST = { latitude: 61.5, longitude: 3 };
/** In the projection of the map, where the middle between two centres is the middle on the screen. */
const ZOOM = 12;

export interface DistrictCentre {
  code: string;
  latitude: number;
  longitude: number;
}

export type Direction = 'up' | 'down' | 'left' | 'right';

export interface DistrictCells {
  /** Fills each cell with a CSS colour; undefined leaves it empty. */
  paint: (fill: (code: string) => string | undefined) => void;
  /** Outlines one cell. */
  mark: (code: string | undefined) => void;
  /** The next district in a direction. */
  next: (code: string, direction: Direction) => string | undefined;
}

interface Handlers {
  onHover: (code: string | undefined) => void;
  onPick: (code: string) => void;
}

/** Draws the postcode districts as cells around their centres, which end at the coast. They are removed with the map. */
export function addDistrictCells(map: LeafletMap, districts: DistrictCentre[], handlers: Handlers): DistrictCells {
  const pane = map.createPane(CELLS_PANE);
  pane.style.zIndex = String(CELLS_Z);
  pane.style.visibility = 'hidden';
  const show = () => {
    pane.style.visibility = '';
  };
  addSeaMask(map, SEA_Z).then(show, show); // without it, the cells reach into the sea
  const renderer = createCanvas();
  const delaunay = Delaunay.from(separate(districts).map(project));
  const [low, high] = [project(SOUTH_WEST), project(NORTH_EAST)];
  const voronoi = delaunay.voronoi([low[0], high[1], high[0], low[1]]);
  const cells = new Map<string, Polygon>();
  districts.forEach(({ code }, index) => {
    const ring = voronoi.cellPolygon(index);
    if (!ring) return;
    const cell = polygon(ring.map(unproject), { renderer, pane: CELLS_PANE, smoothFactor: 0, ...PLAIN });
    cell.on({
      mouseover: () => handlers.onHover(code),
      mouseout: () => handlers.onHover(undefined),
      click: () => handlers.onPick(code),
    });
    cells.set(code, cell.addTo(map));
  });
  const indexes = new Map(districts.map(({ code }, index) => [code, index]));
  let marked: Polygon | undefined;

  return {
    paint: (fill) => {
      const resolve = createColourResolver(map.getContainer());
      const line = resolve('var(--color-line)');
      for (const [code, cell] of cells) {
        const colour = fill(code);
        cell.setStyle({
          fillColor: colour === undefined ? 'transparent' : resolve(colour),
          color: cell === marked ? resolve(MARK_COLOUR) : line,
        });
      }
    },
    mark: (code) => {
      const resolve = createColourResolver(map.getContainer());
      marked?.setStyle({ ...PLAIN_LINE, color: resolve('var(--color-line)') });
      marked = code === undefined ? undefined : cells.get(code);
      marked?.setStyle({ weight: 3, opacity: 1, color: resolve(MARK_COLOUR) }).bringToFront();
    },
    next: (code, direction) => {
      const from = indexes.get(code);
      if (from === undefined) return undefined;
      return districts[findNext(delaunay, from, direction) ?? -1]?.code;
    },
  };
}

/** Leaflet does not cancel every frame that it requested when the map is removed, and then draws on nothing. */
function createCanvas() {
  const renderer = canvas({ pane: CELLS_PANE, padding: 0.3 });
  const internals = renderer as unknown as { _ctx?: CanvasRenderingContext2D; _redraw: () => void };
  const redraw = internals._redraw;
  internals._redraw = () => {
    if (internals._ctx) redraw.call(renderer);
  };
  return renderer;
}

const MARK_COLOUR = 'var(--color-ink)';
const PLAIN_LINE = { weight: 0.5, opacity: 0.8 };
const PLAIN = { ...PLAIN_LINE, color: 'transparent', fillOpacity: 0.9, fillColor: 'transparent' };

const project = ({ latitude, longitude }: { latitude: number; longitude: number }): [number, number] => {
  const { x, y } = CRS.EPSG3857.latLngToPoint(latLng(latitude, longitude), ZOOM);
  return [x, y];
};

function unproject([x, y]: [number, number]): LatLngTuple {
  const { lat, lng } = CRS.EPSG3857.pointToLatLng(point(x, y), ZOOM);
  return [lat, lng];
}

/** A few districts share a centre: each gets a cell of its own when one is moved by about a hundred metres. */
function separate(districts: DistrictCentre[]): DistrictCentre[] {
  const taken = new Set<string>();
  return districts.map((district) => {
    const key = `${district.latitude} ${district.longitude}`;
    if (taken.has(key)) return { ...district, longitude: district.longitude + 0.002 };
    taken.add(key);
    return district;
  });
}

/** y grows downwards, as on the screen. */
const VECTORS: Record<Direction, [number, number]> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/** The neighbour whose direction differs least, by at most 60 degrees. */
function findNext(delaunay: Delaunay<unknown>, from: number, direction: Direction): number | undefined {
  const [towardsX, towardsY] = VECTORS[direction];
  const { points } = delaunay;
  let [best, bestCosine] = [undefined as number | undefined, 0.5];
  for (const other of delaunay.neighbors(from)) {
    const x = (points[2 * other] ?? 0) - (points[2 * from] ?? 0);
    const y = (points[2 * other + 1] ?? 0) - (points[2 * from + 1] ?? 0);
    const cosine = (x * towardsX + y * towardsY) / Math.hypot(x, y);
    if (cosine >= bestCosine) [best, bestCosine] = [other, cosine];
  }
  return best;
}

/** A canvas knows no CSS variables: an element in the map's theme computes the colour. */
function createColourResolver(container: HTMLElement) {
  const known = new Map<string, string>();
  return (colour: string): string => {
    const cached = known.get(colour);
    if (cached !== undefined) return cached;
    const probe = document.createElement('span');
    probe.style.color = colour;
    container.append(probe);
    const resolved = getComputedStyle(probe).color;
    probe.remove();
    known.set(colour, resolved);
    return resolved;
  };
}
