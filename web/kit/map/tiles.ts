import { type Layer, type Map as LeafletMap, tileLayer } from 'leaflet';
import { namesMapFile } from '#contract/map/map.calls.ts';
import { escapeHtml, MAX_ZOOM, type Tiles } from './tile-source.ts';

/** Adds tiles above the base map, which is seen where there are none. Returns a function that removes them. */
export function addTiles(map: LeafletMap, tiles: Tiles): () => void {
  return namesMapFile(tiles.url) ? addMapFile(map, tiles) : addTemplate(map, tiles);
}

function addTemplate(map: LeafletMap, { url, attribution, onTiles }: Tiles) {
  const layer = tileLayer(url, { maxZoom: MAX_ZOOM, attribution: escapeHtml(attribution) });
  layer.on('tileerror', () => onTiles(false));
  layer.on('tileload', () => onTiles(true));
  layer.addTo(map);
  return () => void layer.remove();
}

/** Its reader is loaded only where an installation has such a file. */
function addMapFile(map: LeafletMap, tiles: Tiles) {
  let layer: Layer | undefined;
  let removed = false;
  const load = async () => {
    const { createMapFileLayer } = await import('./map-file-layer.ts');
    const created = await createMapFileLayer(tiles);
    if (removed) return;
    layer = created.addTo(map);
  };
  load().catch(() => tiles.onTiles(false));
  return () => {
    removed = true;
    layer?.remove();
  };
}
