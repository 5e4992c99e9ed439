// A minimal writer of PMTiles version 3: one tile that is the same everywhere, down to MAX_ZOOM.

const HEADER_BYTES = 127;
const MAX_ZOOM = 14;
const NO_COMPRESSION = 1;
const TILE_TYPE = { mvt: 1, png: 2 };

interface MapFileOptions {
  type: keyof typeof TILE_TYPE;
  tile: Buffer;
  metadata?: object;
}

export function buildMapFile({ type, tile, metadata = {} }: MapFileOptions): Buffer {
  // One entry: tile 0, repeated for every tile of all zooms, its length, and its offset plus one.
  const tileCount = (4 ** (MAX_ZOOM + 1) - 1) / 3;
  const directory = Buffer.concat([1, 0, tileCount, tile.length, 1].map(varint));
  const json = Buffer.from(JSON.stringify(metadata));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const sections = [directory.length, json.length, 0, tile.length];
  let offset = HEADER_BYTES;
  for (const [index, length] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + index * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + index * 16);
    offset += length;
  }
  header.set([1, NO_COMPRESSION, NO_COMPRESSION, TILE_TYPE[type], 0, MAX_ZOOM], 96);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + index * 4);
  return Buffer.concat([header, directory, json, tile]);
}

/** A red pixel, which is scaled to the size of a tile. */
export const RED_TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

/** A Mapbox vector tile whose layer "water" is one polygon over the whole tile. */
export function buildWaterTile(): Buffer {
  const extent = 4_096;
  const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2);
  const moveTo = (1 << 3) | 1;
  const lineTo = (3 << 3) | 2;
  const closePath = (1 << 3) | 7;
  const commands = [moveTo, 0, 0, lineTo, zigzag(extent), 0, 0, zigzag(extent), zigzag(-extent), 0, closePath];
  const feature = Buffer.concat([
    field(2, Buffer.concat([0, 0].map(varint))), // tags: kind = water
    Buffer.concat([varint(3 << 3), varint(3)]), // a polygon
    field(4, Buffer.concat(commands.map(varint))),
  ]);
  const layer = Buffer.concat([
    field(1, Buffer.from('water')),
    field(2, feature),
    field(3, Buffer.from('kind')),
    field(4, field(1, Buffer.from('water'))),
    Buffer.concat([varint(5 << 3), varint(extent)]),
    Buffer.concat([varint(15 << 3), varint(2)]),
  ]);
  return field(3, layer);
}

/** A length-delimited field of a protocol buffer. */
const field = (number: number, content: Buffer) =>
  Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
