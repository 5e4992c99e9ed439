import { expect, test } from 'vitest';
import { buildAttribution } from './map-file-attribution.ts';

const OSM = '© OpenStreetMap contributors';
const html = '<a href="https://protomaps.com">Protomaps</a> © <a href="https://openstreetmap.org">OpenStreetMap</a>';

test.each([
  ['the text of its HTML', { attribution: html }, OSM, true, 'Protomaps © OpenStreetMap'],
  ['no markup', { attribution: '<img src=x onerror=alert(1)>Example' }, OSM, false, 'Example'],
  ['OpenStreetMap, where vector tiles do not name it', { attribution: 'Example' }, OSM, true, `Example | ${OSM}`],
  ["the operator's text, without one of its own", {}, 'Survey 2026', false, 'Survey 2026'],
  ['OpenStreetMap beside that of the operator', {}, 'Survey 2026', true, `Survey 2026 | ${OSM}`],
  ["the operator's text, where it is no text", { attribution: 7 }, OSM, false, OSM],
  ["the operator's text, without metadata", undefined, OSM, true, OSM],
])('the attribution of a map file is %s', (_, metadata, fallback, vector, text) => {
  expect(buildAttribution({ metadata, fallback, vector })).toBe(text);
});
