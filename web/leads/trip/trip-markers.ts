import { divIcon, type Map as LeafletMap, layerGroup, marker, polyline } from 'leaflet';
import type { Point } from '#contract/geo.ts';

const SIZE_PX = 28;
const ABOVE_OTHERS = 10_000;

interface MarkedStop extends Point {
  name: string;
  done?: boolean;
}

/** Adds a round trip to the map: a line, its start, and a numbered marker for each stop. Returns a function that removes it. */
export function addTrip<Stop extends MarkedStop>(
  map: LeafletMap,
  { start, stops }: { start: Point; stops: readonly Stop[] },
  onOpen: (stop: Stop) => void,
): () => void {
  const layer = layerGroup().addTo(map);
  const trip = [start, ...stops, start].map(({ latitude, longitude }) => [latitude, longitude] as [number, number]);
  polyline(trip, { className: 'trip-line', interactive: false }).addTo(layer);
  marker([start.latitude, start.longitude], {
    icon: roundIcon('S', 'bg-ink text-paper'),
    keyboard: false,
    interactive: false,
    alt: 'Start',
  }).addTo(layer);
  for (const [index, stop] of stops.entries()) {
    const number = String(index + 1);
    const pin = marker([stop.latitude, stop.longitude], {
      icon: roundIcon(number, stop.done ? 'bg-good-soft text-good-text' : 'bg-pine text-on-pine'),
      // The list beside the map leads to the same stops.
      keyboard: false,
      // Above other markers. Of two stops at one place, the first is on top; those left are above those done.
      zIndexOffset: ABOVE_OTHERS - index - (stop.done ? stops.length : 0),
    }).addTo(layer);
    pin.getElement()?.setAttribute('role', 'button');
    pin.getElement()?.setAttribute('aria-label', `Stop ${number}: ${stop.name}${stop.done ? ', done' : ''}`);
    pin.on('click', () => onOpen(stop));
  }
  return () => void layer.remove();
}

function roundIcon(text: string, colours: string) {
  const bubble = document.createElement('span');
  bubble.textContent = text;
  bubble.className = `grid size-full place-items-center rounded-full border-2 border-surface text-xs font-semibold ${colours}`;
  return divIcon({ html: bubble, iconSize: [SIZE_PX, SIZE_PX] });
}
