import * as leaflet from 'leaflet';
import { type Coords, type DoneCallback, GridLayer, type GridLayerOptions, type LatLngBoundsLiteral } from 'leaflet';
import { FetchSource, type Header, PMTiles, type Source, TileType } from 'pmtiles';
import { buildAttribution } from './map-file-attribution.ts';
import { escapeHtml, MAX_ZOOM, type Tiles } from './tile-source.ts';

/** The layer of a .pmtiles file with raster or with vector tiles. */
export async function createMapFileLayer({ url, attribution, onTiles }: Tiles): Promise<GridLayer> {
  const archive = new PMTiles(reportingSource(url, onTiles));
  const header = await archive.getHeader();
  const metadata = await archive.getMetadata().catch(() => undefined);
  const vector = header.tileType === TileType.Mvt;
  const text = buildAttribution({ metadata, fallback: attribution, vector });
  const { minLat, minLon, maxLat, maxLon } = header;
  const options: GridLayerOptions = {
    minZoom: header.minZoom,
    maxZoom: MAX_ZOOM,
    attribution: escapeHtml(text),
    ...(minLat < maxLat &&
      minLon < maxLon && {
        bounds: [
          [minLat, minLon],
          [maxLat, maxLon],
        ] as LatLngBoundsLiteral,
      }),
  };
  return vector ? createVectorLayer(archive, header, options) : createRasterLayer(archive, header, options);
}

/** Reads the file in parts, and reports whether that works. */
function reportingSource(url: string, onTiles: Tiles['onTiles']): Source {
  const source = new FetchSource(new URL(url, window.location.href).href);
  return {
    getKey: () => source.getKey(),
    getBytes: async (offset, length, signal, etag) => {
      try {
        const bytes = await source.getBytes(offset, length, signal, etag);
        onTiles(true);
        return bytes;
      } catch (error) {
        if (!signal?.aborted) onTiles(false);
        throw error;
      }
    },
  };
}

async function createVectorLayer(archive: PMTiles, header: Header, options: GridLayerOptions): Promise<GridLayer> {
  // The library reads Leaflet from this global.
  Object.assign(globalThis, { L: leaflet });
  const { leafletLayer } = await import('protomaps-leaflet');
  // The dark theme inverts all tiles by its style sheet.
  const layer = leafletLayer({ ...options, url: archive, flavor: 'light', lang: 'en', maxDataZoom: header.maxZoom });
  // Where a tile is missing, the base map is seen.
  layer.backgroundColor = undefined;
  // The library's type does not say so.
  return layer as unknown as GridLayer;
}

function createRasterLayer(archive: PMTiles, header: Header, options: GridLayerOptions): GridLayer {
  const RasterTiles = GridLayer.extend({
    createTile(coords: Coords, done: DoneCallback) {
      const canvas = document.createElement('canvas');
      const { x: width, y: height } = (this as unknown as GridLayer).getTileSize();
      Object.assign(canvas, { width, height });
      drawTile(archive, coords, canvas).then(
        () => done(undefined, canvas),
        (error) => done(error, canvas),
      );
      return canvas;
    },
  });
  // Leaflet's types do not know what the constructor of an extended class takes.
  return Reflect.construct(RasterTiles, [{ ...options, maxNativeZoom: header.maxZoom }]);
}

/** Drawn on a canvas: an image would need an object URL, which the content security policy does not allow. */
async function drawTile(archive: PMTiles, { z, x, y }: Coords, canvas: HTMLCanvasElement) {
  const tile = await archive.getZxy(z, x, y);
  if (!tile) return;
  const image = await createImageBitmap(new Blob([tile.data]));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
}
