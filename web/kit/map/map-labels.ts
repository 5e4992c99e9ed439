import { DomUtil, type Map as LeafletMap, point } from 'leaflet';

export interface MapLabel {
  latitude: number;
  longitude: number;
  text: string;
}

const PANE = 'map-labels';
const CHARACTER_WIDTH = 9;
const PADDING = 8;
const HEIGHT = 20;

/** Draws short labels above everything else; of labels that overlap the first is drawn. Returns what removes them. */
export function addMapLabels(map: LeafletMap, labels: readonly MapLabel[]): () => void {
  const pane = map.getPane(PANE) ?? map.createPane(PANE);
  pane.style.zIndex = '160';
  pane.setAttribute('aria-hidden', 'true');
  const redraw = () => drawLabels(map, pane, labels);
  map.on('zoomend moveend viewreset', redraw);
  map.whenReady(redraw);
  return () => {
    map.off('zoomend moveend viewreset', redraw);
    pane.replaceChildren();
  };
}

function drawLabels(map: LeafletMap, pane: HTMLElement, labels: readonly MapLabel[]) {
  const bounds = map.getBounds().pad(0.1);
  const drawn: { x: number; y: number; width: number }[] = [];
  const elements = labels.flatMap(({ latitude, longitude, text }) => {
    if (!bounds.contains([latitude, longitude])) return [];
    const { x, y } = map.latLngToLayerPoint([latitude, longitude]);
    const width = text.length * CHARACTER_WIDTH + PADDING;
    const overlaps = drawn.some(
      (other) => Math.abs(other.x - x) < (other.width + width) / 2 && Math.abs(other.y - y) < HEIGHT,
    );
    if (overlaps) return [];
    drawn.push({ x, y, width });
    const element = document.createElement('span');
    element.className = 'leaflet-zoom-hide map-label';
    element.textContent = text;
    DomUtil.setPosition(element, point(x, y));
    return [element];
  });
  pane.replaceChildren(...elements);
}
