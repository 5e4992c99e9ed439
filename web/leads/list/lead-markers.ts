import { type LayerGroup, type Map as LeafletMap, layerGroup, type Marker, marker } from 'leaflet';
import Supercluster from 'supercluster';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import { formatCount } from '#web/kit/format.ts';
import { clusterIcon, pinIcon } from './map-icons.ts';

/** Up to here every lead has its own marker; more of them gather in clusters. */
export const MAX_MARKERS = 1_000;
const CLUSTER_RADIUS_PX = 60;
const LAST_CLUSTERED_ZOOM = 18;

type OnOpen = (point: LeadPoint) => void;

/** Puts the points on the map. Answers how to take them away again. */
export function drawLeads(map: LeafletMap, points: LeadPoint[], onOpen: OnOpen): () => void {
  const layer = layerGroup().addTo(map);
  const stop = points.length > MAX_MARKERS ? drawClusters(map, layer, points, onOpen) : drawAll(layer, points, onOpen);
  return () => {
    stop();
    layer.remove();
  };
}

function drawAll(layer: LayerGroup, points: LeadPoint[], onOpen: OnOpen) {
  const icon = pinIcon;
  for (const point of points) addPin(layer, point, icon(), onOpen);
  return () => {};
}

/** Draws only what can be seen, and after a move only what is new, so that any number of points moves as smoothly as a few. */
function drawClusters(map: LeafletMap, layer: LayerGroup, points: LeadPoint[], onOpen: OnOpen) {
  const index = new Supercluster<LeadPoint>({ radius: CLUSTER_RADIUS_PX, maxZoom: LAST_CLUSTERED_ZOOM });
  index.load(
    points.map((point) => ({
      type: 'Feature' as const,
      properties: point,
      geometry: { type: 'Point' as const, coordinates: [point.longitude, point.latitude] },
    })),
  );

  const shown = new Map<string, Marker>();
  const draw = () => {
    const seen = map.getBounds().pad(0.2);
    const area: [number, number, number, number] = [seen.getWest(), seen.getSouth(), seen.getEast(), seen.getNorth()];
    const wanted = new Set<string>();
    for (const { geometry, properties } of index.getClusters(area, map.getZoom())) {
      const key = 'cluster' in properties ? `cluster ${properties.cluster_id}` : `lead ${properties.id}`;
      wanted.add(key);
      if (shown.has(key)) continue;
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      if (!('cluster' in properties)) {
        shown.set(key, addPin(layer, properties, pinIcon(), onOpen));
        continue;
      }
      const { cluster_id: id, point_count: count, point_count_abbreviated: short } = properties;
      const size = 32 + Math.min(24, Math.log10(count) * 8);
      const bubble = marker([latitude, longitude], { icon: clusterIcon(short, size), keyboard: false }).addTo(layer);
      name(bubble.getElement(), `${formatCount(count)} businesses`);
      bubble.on('click', () => map.setView([latitude, longitude], index.getClusterExpansionZoom(id)));
      shown.set(key, bubble);
    }
    for (const [key, gone] of shown) {
      if (wanted.has(key)) continue;
      layer.removeLayer(gone);
      shown.delete(key);
    }
  };
  draw();
  map.on('moveend', draw);
  return () => void map.off('moveend', draw);
}

function addPin(layer: LayerGroup, point: LeadPoint, icon: ReturnType<typeof pinIcon>, onOpen: OnOpen): Marker {
  // Hundreds of stops would wear out whoever uses a keyboard: the list beside the map is their way to each lead.
  const pin = marker([point.latitude, point.longitude], { icon, keyboard: false }).addTo(layer);
  name(pin.getElement(), 'Business');
  pin.on('click', () => onOpen(point));
  return pin;
}

function name(element: HTMLElement | undefined, label: string) {
  element?.setAttribute('role', 'button');
  element?.setAttribute('aria-label', label);
}
