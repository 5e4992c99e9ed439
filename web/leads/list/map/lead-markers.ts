import { divIcon, type LayerGroup, type Map as LeafletMap, layerGroup, type Marker, marker } from 'leaflet';
import Supercluster from 'supercluster';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import type { Pins } from './pins.ts';

/** Up to this number every lead has its own marker; above it markers are clustered. */
const MAX_MARKERS = 1_000;
const CLUSTER_RADIUS_PX = 60;
const MAX_CLUSTER_ZOOM = 18;

interface Options {
  toPin: Pins['toPin'];
  onOpen: (point: LeadPoint) => void;
}

/** Adds the points to the map. Returns a function that removes them. */
export function addMarkers(map: LeafletMap, points: LeadPoint[], options: Options): () => void {
  const layer = layerGroup().addTo(map);
  const stopUpdates = points.length > MAX_MARKERS ? addClusters(map, layer, points, options) : undefined;
  if (!stopUpdates) for (const point of points) addPin(layer, point, options);
  return () => {
    stopUpdates?.();
    layer.remove();
  };
}

/** Adds only the markers inside the viewport, and updates them after each move. Returns a function that stops that. */
function addClusters(map: LeafletMap, layer: LayerGroup, points: LeadPoint[], options: Options) {
  const index = new Supercluster<LeadPoint>({ radius: CLUSTER_RADIUS_PX, maxZoom: MAX_CLUSTER_ZOOM });
  index.load(
    points.map((point) => ({
      type: 'Feature' as const,
      properties: point,
      geometry: { type: 'Point' as const, coordinates: [point.longitude, point.latitude] },
    })),
  );

  const markers = new Map<string, Marker>();
  const update = () => {
    const bounds = map.getBounds().pad(0.2);
    const box: [number, number, number, number] = [
      bounds.getWest(),
      bounds.getSouth(),
      bounds.getEast(),
      bounds.getNorth(),
    ];
    const visible = new Set<string>();
    for (const { geometry, properties } of index.getClusters(box, map.getZoom())) {
      const key = 'cluster' in properties ? `cluster ${properties.cluster_id}` : `lead ${properties.id}`;
      visible.add(key);
      if (markers.has(key)) continue;
      if (!('cluster' in properties)) {
        markers.set(key, addPin(layer, properties, options));
        continue;
      }
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      const { cluster_id: id, point_count: count, point_count_abbreviated: label } = properties;
      const cluster = marker([latitude, longitude], { icon: clusterIcon(label, count), keyboard: false }).addTo(layer);
      hideFromScreenReaders(cluster);
      cluster.on('click', () => map.setView([latitude, longitude], index.getClusterExpansionZoom(id)));
      markers.set(key, cluster);
    }
    for (const [key, outside] of markers) {
      if (visible.has(key)) continue;
      layer.removeLayer(outside);
      markers.delete(key);
    }
  };
  update();
  map.on('moveend', update);
  return () => void map.off('moveend', update);
}

function addPin(layer: LayerGroup, point: LeadPoint, { toPin, onOpen }: Options): Marker {
  const icon = pinIcon(toPin(point));
  const pin = marker([point.latitude, point.longitude], { icon, keyboard: false }).addTo(layer);
  hideFromScreenReaders(pin);
  pin.on('click', () => onOpen(point));
  return pin;
}

/** Nor is it in the tab order, where hundreds of pins would be in the way: the list beside the map opens the same popups. */
const hideFromScreenReaders = (marker: Marker) => marker.getElement()?.setAttribute('aria-hidden', 'true');

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** Drawn as SVG, so that no image has to be loaded. */
function pinIcon({ colour, letter }: ReturnType<Pins['toPin']>) {
  const svg = createSvgElement('svg', { viewBox: '0 0 28 36', width: '28', height: '36', 'aria-hidden': 'true' });
  svg.append(
    createSvgElement('path', {
      d: 'M14 1C6.8 1 1 6.7 1 13.8 1 23 14 35 14 35s13-12 13-21.2C27 6.7 21.2 1 14 1Z',
      fill: colour,
      stroke: 'var(--color-surface)',
      'stroke-width': '2',
    }),
    createSvgElement('text', PIN_LETTER, letter),
  );
  return divIcon({
    // Leaflet's types know only HTML elements; it appends any element.
    html: svg as unknown as HTMLElement,
    iconSize: [28, 36],
    iconAnchor: [14, 35],
    popupAnchor: [0, -30],
  });
}

function clusterIcon(label: number | string, count: number) {
  const size = 32 + Math.min(24, Math.log10(count) * 8);
  const bubble = document.createElement('span');
  bubble.textContent = String(label);
  bubble.className =
    'grid size-full place-items-center rounded-full border-2 border-surface bg-pine text-xs font-semibold text-on-pine';
  return divIcon({ html: bubble, iconSize: [size, size] });
}

const PIN_LETTER = {
  x: '14',
  y: '18.5',
  fill: 'var(--color-on-pin)',
  'text-anchor': 'middle',
  'font-size': '13',
  'font-weight': '700',
};

function createSvgElement(name: string, attributes: Record<string, string>, text = '') {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}
