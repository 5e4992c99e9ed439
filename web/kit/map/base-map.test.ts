import { map as createMap } from 'leaflet';
import { expect, test, vi } from 'vitest';
import { addBaseMap } from './base-map.ts';

/** A map around the middle of Ireland, with the names that it shows. */
function showIreland() {
  const container = document.createElement('div');
  // jsdom has no layout.
  for (const side of ['clientWidth', 'clientHeight']) Object.defineProperty(container, side, { value: 800 });
  const map = createMap(container, { zoomAnimation: false }).setView([53.4, -7.7], 4);
  addBaseMap(map);
  return { map, names: () => [...container.querySelectorAll('.base-name')].map(({ textContent }) => textContent) };
}

test('zooming in adds the names of smaller towns, in the Republic of Ireland too', async () => {
  const { map, names } = showIreland();
  await vi.waitFor(() => expect(names()).toEqual(expect.arrayContaining(['London', 'Dublin'])));
  expect(names()).not.toContain('Limerick');
  map.setZoom(6);
  expect(names()).toEqual(expect.arrayContaining(['Dublin', 'Cork', 'Limerick', 'Galway', 'Waterford']));
  expect(names()).not.toContain('Naas');
  map.setZoom(9);
  expect(names()).toEqual(expect.arrayContaining(['Athlone', 'Mullingar', 'Longford']));
  map.setView([53.3, -6.5], 9, { animate: false });
  expect(names()).toEqual(expect.arrayContaining(['Dublin', 'Naas', 'Bray']));
});
