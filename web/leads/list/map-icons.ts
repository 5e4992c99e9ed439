import { divIcon } from 'leaflet';

const SVG = 'http://www.w3.org/2000/svg';

/** A pin in the awning's colour, drawn here: no image has to be fetched for it. */
export function pinIcon() {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 28 36');
  svg.setAttribute('width', '28');
  svg.setAttribute('height', '36');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(
    shape('path', {
      d: 'M14 1C6.8 1 1 6.7 1 13.8 1 23 14 35 14 35s13-12 13-21.2C27 6.7 21.2 1 14 1Z',
      fill: 'var(--color-awning)',
      stroke: 'var(--color-surface)',
      'stroke-width': '2',
    }),
    shape('circle', { cx: '14', cy: '14', r: '4.5', fill: 'var(--color-surface)' }),
  );
  return divIcon({
    html: svg as unknown as HTMLElement,
    iconSize: [28, 36],
    iconAnchor: [14, 35],
    popupAnchor: [0, -30],
  });
}

/** Several leads in one place, with their number. */
export function clusterIcon(count: number | string, size: number) {
  const bubble = document.createElement('span');
  bubble.textContent = String(count);
  bubble.setAttribute(
    'class',
    'grid size-full place-items-center rounded-full border-2 border-surface bg-pine text-xs font-semibold text-on-pine',
  );
  return divIcon({ html: bubble, iconSize: [size, size] });
}

function shape(name: string, attributes: Record<string, string>) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
