import type { ColumnMetaData, DecodedArray, PageHeader, ParquetParsers, SchemaTree } from 'hyparquet';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert, convertWithDictionary, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { compressors } from 'hyparquet-compressors';

/** Reads these bytes of a file. */
export type ReadBytes = (from: number, to: number) => Promise<ArrayBuffer>;

/** One page of a column: the values that are there, and the levels that say to which rows they belong. */
export interface ColumnPage {
  values: DecodedArray;
  definition: number[];
  repetition: number[];
}

const WINDOW = 1024 * 1024;
const LONGEST_HEADER = 64 * 1024;
const LARGEST_PAGE = 256 * 1024 * 1024;

const asBytes = (bytes: Uint8Array) => bytes;
/** A geometry stays as it is written: a bad one must not end the file. */
export const PARSERS: ParquetParsers = { ...DEFAULT_PARSERS, geometryFromBytes: asBytes, geographyFromBytes: asBytes };

/** The pages of a column of a row group, read from the file one after the other. */
export async function* pagesOf(
  read: ReadBytes,
  chunk: ColumnMetaData,
  schemaPath: SchemaTree[],
): AsyncGenerator<ColumnPage> {
  const column = columnOf(chunk, schemaPath);
  let at = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
  const end = at + Number(chunk.total_compressed_size);
  const view = windowOn(read, end);
  let dictionary: DecodedArray | undefined;
  while (at < end) {
    const reader = { view: await view(at, LONGEST_HEADER), offset: 0 };
    const header = parquetHeader(reader);
    const size = header.compressed_page_size;
    at += reader.offset;
    if (!(size >= 0 && at + size <= end && header.uncompressed_page_size <= LARGEST_PAGE)) throw new Error('bad page');
    const page = await view(at, size);
    at += size;
    if (header.type === 'DICTIONARY_PAGE') {
      const { data = [] } = readPage({ view: page, offset: 0 }, header, column, undefined, undefined, 0);
      dictionary = convert(data, column);
    } else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2') {
      yield dataOf(new Uint8Array(page.buffer, page.byteOffset, size), header, column, dictionary);
    }
  }
}

type Column = ReturnType<typeof columnOf>;

function columnOf({ codec, type, path_in_schema: pathInSchema }: ColumnMetaData, schemaPath: SchemaTree[]) {
  const element = schemaPath.at(-1)?.element;
  if (!element) throw new Error('no such column');
  return { pathInSchema, type, element, schemaPath, codec, compressors, parsers: PARSERS, utf8: false };
}

function dataOf(bytes: Uint8Array, header: PageHeader, column: Column, dictionary: DecodedArray | undefined) {
  const about = header.data_page_header ?? header.data_page_header_v2;
  if (!about) throw new Error('bad page');
  const { definitionLevels, repetitionLevels, dataPage } = header.data_page_header
    ? readDataPage(
        decompressPage(bytes, header.uncompressed_page_size, column.codec, compressors),
        header.data_page_header,
        column,
      )
    : readDataPageV2(bytes, header, column);
  const values = convertWithDictionary(dataPage, dictionary, about.encoding, column);
  return { values, definition: definitionLevels ?? [], repetition: repetitionLevels };
}

/** A view of the file that begins at a byte and holds what is needed, or all that is left before the end. */
function windowOn(read: ReadBytes, end: number) {
  let from = 0;
  let held = new ArrayBuffer(0);
  return async (at: number, least: number): Promise<DataView> => {
    if (at < from || Math.min(end, at + least) > from + held.byteLength) {
      held = await read(at, Math.min(end, at + Math.max(least, WINDOW)));
      from = at;
    }
    return new DataView(held, at - from);
  };
}
