import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';

/** A place as Overture's files have it, as far as the loader reads it. */
export interface OverturePlace {
  id: string | null;
  geometry: Uint8Array | null;
  bbox: { xmin: number; xmax: number; ymin: number; ymax: number } | null;
  names: { primary: string | null } | null;
  basic_category: string | null;
  taxonomy: { primary: string | null; hierarchy: (string | null)[] | null } | null;
  confidence: number | null;
  operating_status: string | null;
  websites: (string | null)[] | null;
  emails: (string | null)[] | null;
  phones: (string | null)[] | null;
  addresses:
    | { freeform: string | null; locality: string | null; postcode: string | null; country: string | null }[]
    | null;
}

const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;
const text = (name: string): SchemaElement => ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', ...OPTIONAL });
const group = (name: string, children: SchemaElement[][]): SchemaElement[] => [
  { name, num_children: children.length, ...OPTIONAL },
  ...children.flat(),
];
const list = (name: string, element: SchemaElement[]): SchemaElement[] => [
  { name, num_children: 1, converted_type: 'LIST', ...OPTIONAL },
  { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  ...element,
];
const number = (name: string, type: 'FLOAT' | 'DOUBLE'): SchemaElement => ({ name, type, ...OPTIONAL });

const COLUMNS: Record<keyof OverturePlace, SchemaElement[]> = {
  id: [text('id')],
  geometry: [{ name: 'geometry', type: 'BYTE_ARRAY', ...OPTIONAL }],
  bbox: group(
    'bbox',
    ['xmin', 'xmax', 'ymin', 'ymax'].map((name) => [number(name, 'FLOAT')]),
  ),
  names: group('names', [[text('primary')]]),
  basic_category: [text('basic_category')],
  taxonomy: group('taxonomy', [[text('primary')], list('hierarchy', [text('element')])]),
  confidence: [number('confidence', 'DOUBLE')],
  operating_status: [text('operating_status')],
  websites: list('websites', [text('element')]),
  emails: list('emails', [text('element')]),
  phones: list('phones', [text('element')]),
  addresses: list(
    'addresses',
    group(
      'element',
      ['freeform', 'locality', 'postcode', 'country'].map((name) => [text(name)]),
    ),
  ),
};

/** Writes places to a GeoParquet file, a row group each time. Columns can be left out, to see what then happens. */
export function overtureFile(file: string, without: (keyof OverturePlace)[] = []) {
  const names = (Object.keys(COLUMNS) as (keyof OverturePlace)[]).filter((name) => !without.includes(name));
  const root = { name: 'schema', num_children: names.length };
  const geo = { version: '1.1.0', primary_column: 'geometry', columns: { geometry: { encoding: 'WKB' } } };
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: [root, ...names.flatMap((name) => COLUMNS[name])],
    kvMetadata: [{ key: 'geo', value: JSON.stringify(geo) }],
  });
  return {
    async write(places: OverturePlace[], pageSize = 1024 * 1024) {
      const columnData = names.map((name) => ({ name, data: places.map((place) => place[name]) }));
      await writer.write({ columnData, rowGroupSize: places.length, pageSize });
    },
    end: async () => writer.finish(),
  };
}

/** A point as well-known binary. */
function wkbPoint(longitude: number, latitude: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(21));
  view.setUint8(0, 1);
  view.setUint32(1, 1, true);
  view.setFloat64(5, longitude, true);
  view.setFloat64(13, latitude, true);
  return new Uint8Array(view.buffer);
}

/** A bakery in Leeds, with the fields of the test. */
export function bakery(number: number | string, more: Partial<OverturePlace> = {}): OverturePlace {
  const [longitude, latitude] = [-1.5482, 53.8001];
  return {
    id: `bakery-${number}`,
    geometry: wkbPoint(longitude, latitude),
    bbox: { xmin: longitude, xmax: longitude, ymin: latitude, ymax: latitude },
    names: { primary: `Bakery number ${number}` },
    basic_category: 'bakery',
    taxonomy: { primary: 'bakery', hierarchy: ['food_and_drink', 'bakery'] },
    confidence: 0.93,
    operating_status: 'open',
    websites: null,
    emails: null,
    phones: ['+441134960123'],
    addresses: [{ freeform: '12 Mill Lane', locality: 'Leeds', postcode: 'LS1 2AB', country: 'GB' }],
    ...more,
  };
}
