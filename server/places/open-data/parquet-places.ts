import { type PlacesFile, parseFeature, type ReadPlace } from './parse-place.ts';
import { openParquet } from './read-parquet.ts';

const COLUMNS = [
  ...['id', 'geometry', 'bbox.xmin', 'bbox.xmax', 'bbox.ymin', 'bbox.ymax', 'names.primary', 'basic_category'],
  ...['taxonomy.primary', 'taxonomy.hierarchy', 'taxonomy.alternates', 'taxonomy.alternate'],
  ...['categories.primary', 'categories.alternate', 'confidence', 'operating_status', 'phones', 'websites', 'emails'],
  ...['addresses.freeform', 'addresses.locality', 'addresses.postcode', 'addresses.country'],
];

/** Opens Overture's places as GeoParquet: the properties of its GeoJSON, the point as WKB, and a bounding box. */
export async function openParquetPlaces(file: string): Promise<PlacesFile> {
  const parquet = await openParquet(file, COLUMNS);
  const missing = ['id', 'names.primary'].filter((column) => !parquet.columns.includes(column));
  if (!parquet.columns.some((column) => /^geometry$|^bbox\./.test(column))) missing.push('geometry');
  if (missing.length) {
    await parquet.close();
    throw new Error(`${file} has no column ${missing.join(', ')}: it is not a file of Overture places`);
  }
  let line = 0;
  async function* readPlaces(afterLine: number): AsyncGenerator<ReadPlace> {
    line = afterLine;
    for await (const { count, columns } of parquet.readRows(afterLine)) {
      for (let row = 0; row < count; row += 1) {
        line += 1;
        yield { line, ...parseFeature(toFeature((column) => columns.get(column)?.[row])) };
      }
    }
  }
  return { readPlaces, progress: () => (parquet.rowCount ? line / parquet.rowCount : 1), close: parquet.close };
}

type Cell = (column: string) => unknown;

function toFeature(cell: Cell) {
  const coordinates = parseWkbPoint(cell('geometry')) ?? toBoxCentre(cell);
  return {
    id: cell('id'),
    geometry: coordinates && { type: 'Point', coordinates },
    properties: {
      names: { primary: cell('names.primary') },
      basic_category: cell('basic_category'),
      taxonomy: {
        primary: cell('taxonomy.primary'),
        hierarchy: cell('taxonomy.hierarchy'),
        alternates: cell('taxonomy.alternates') ?? cell('taxonomy.alternate'),
      },
      categories: { primary: cell('categories.primary'), alternate: cell('categories.alternate') },
      confidence: cell('confidence'),
      operating_status: cell('operating_status'),
      addresses: [
        {
          freeform: firstElement(cell('addresses.freeform')),
          locality: firstElement(cell('addresses.locality')),
          postcode: firstElement(cell('addresses.postcode')),
          country: firstElement(cell('addresses.country')),
        },
      ],
      phones: cell('phones'),
      websites: cell('websites'),
      emails: cell('emails'),
    },
  };
}

const firstElement = (list: unknown) => (Array.isArray(list) ? list[0] : null);

const WKB_POINT = 1;

/** WKB: byte order, geometry type, longitude, latitude. */
function parseWkbPoint(wkb: unknown): [number, number] | undefined {
  if (!(wkb instanceof Uint8Array) || wkb.length < 21) return undefined;
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  const littleEndian = view.getUint8(0) === 1;
  if (view.getUint32(1, littleEndian) !== WKB_POINT) return undefined;
  return [view.getFloat64(5, littleEndian), view.getFloat64(13, littleEndian)];
}

function toBoxCentre(cell: Cell): [number, number] | undefined {
  const middle = (low: unknown, high: unknown) =>
    typeof low === 'number' && typeof high === 'number' ? (low + high) / 2 : Number.NaN;
  const point: [number, number] = [
    middle(cell('bbox.xmin'), cell('bbox.xmax')),
    middle(cell('bbox.ymin'), cell('bbox.ymax')),
  ];
  return point.some(Number.isNaN) ? undefined : point;
}
