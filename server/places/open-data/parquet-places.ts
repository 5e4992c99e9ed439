import { fromFeature } from './open-places.ts';
import { openParquet } from './read-parquet.ts';
import type { PlacesFile, ReadPlace } from './read-places.ts';

const WANTED = [
  ...['id', 'geometry', 'bbox.xmin', 'bbox.xmax', 'bbox.ymin', 'bbox.ymax', 'names.primary', 'basic_category'],
  ...['taxonomy.primary', 'taxonomy.hierarchy', 'taxonomy.alternates', 'taxonomy.alternate'],
  ...['categories.primary', 'categories.alternate', 'confidence', 'operating_status', 'phones', 'websites', 'emails'],
  ...['addresses.freeform', 'addresses.locality', 'addresses.postcode', 'addresses.country'],
];

/** Overture's places as GeoParquet: the columns of its GeoJSON, the point as WKB, and a box around it. */
export async function parquetPlaces(file: string): Promise<PlacesFile> {
  const parquet = await openParquet(file, WANTED);
  const missing = ['id', 'names.primary'].filter((column) => !parquet.columns.includes(column));
  if (!parquet.columns.some((column) => /^geometry$|^bbox\./.test(column))) missing.push('geometry');
  if (missing.length) {
    await parquet.close();
    throw new Error(`${file} has no column ${missing.join(', ')}: it is not a file of Overture places`);
  }
  let line = 0;
  async function* places(after: number): AsyncGenerator<ReadPlace> {
    line = after;
    for await (const { rows, columns } of parquet.slices(after)) {
      for (let row = 0; row < rows; row += 1) {
        line += 1;
        yield { line, ...fromFeature(featureOf((column) => columns.get(column)?.[row])) };
      }
    }
  }
  return { places, share: () => (parquet.rows ? line / parquet.rows : 1), close: parquet.close };
}

type Cell = (column: string) => unknown;

function featureOf(cell: Cell) {
  const coordinates = pointOf(cell('geometry')) ?? middleOf(cell);
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
          freeform: first(cell('addresses.freeform')),
          locality: first(cell('addresses.locality')),
          postcode: first(cell('addresses.postcode')),
          country: first(cell('addresses.country')),
        },
      ],
      phones: cell('phones'),
      websites: cell('websites'),
      emails: cell('emails'),
    },
  };
}

const first = (list: unknown) => (Array.isArray(list) ? list[0] : null);

const POINT = 1;

/** A point as WKB: the order of the bytes, the kind, longitude, latitude. */
function pointOf(wkb: unknown): [number, number] | undefined {
  if (!(wkb instanceof Uint8Array) || wkb.length < 21) return undefined;
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  const littleEndian = view.getUint8(0) === 1;
  if (view.getUint32(1, littleEndian) !== POINT) return undefined;
  return [view.getFloat64(5, littleEndian), view.getFloat64(13, littleEndian)];
}

function middleOf(cell: Cell): [number, number] | undefined {
  const middle = (low: unknown, high: unknown) =>
    typeof low === 'number' && typeof high === 'number' ? (low + high) / 2 : Number.NaN;
  const point: [number, number] = [
    middle(cell('bbox.xmin'), cell('bbox.xmax')),
    middle(cell('bbox.ymin'), cell('bbox.ymax')),
  ];
  return point.some(Number.isNaN) ? undefined : point;
}
