import { type FileHandle, open } from 'node:fs/promises';
import {
  type ColumnMetaData,
  type DecodedArray,
  type FileMetaData,
  type PageHeader,
  parquetMetadataAsync,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet';
// Not in its public API, which decodes whole row groups: 2 GB of memory for 122,880 places, 3.4 GB for 500,000.
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert, convertWithDictionary, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { compressors } from 'hyparquet-compressors';

/**
 * Consecutive rows, column by column. A field of a struct is named `column.field`. A value of a list, or of a field of a
 * list's elements, is an array.
 */
interface ParquetRows {
  count: number;
  columns: Map<string, unknown[]>;
}

interface Column {
  name: string;
  schemaPath: SchemaTree[];
}

const ROWS_PER_SLICE = 1_000;
const READ_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_PAGE_BYTES = 256 * 1024 * 1024;

const keepBytes = (bytes: Uint8Array) => bytes;
/** Geometries stay bytes: a malformed one must not end the file. */
const PARSERS = { ...DEFAULT_PARSERS, geometryFromBytes: keepBytes, geographyFromBytes: keepBytes };

/** Reads some columns of a Parquet file page by page, so that memory does not grow with its row groups. */
export async function openParquet(file: string, columnNames: readonly string[]) {
  const handle = await open(file);
  try {
    const { size: byteLength } = await handle.stat();
    const metadata = await parquetMetadataAsync(
      { byteLength, slice: (from, to = byteLength) => readBytes(handle, from, to) },
      { geoparquet: false, parsers: PARSERS },
    ).catch(() => {
      throw new Error(`${file} is not a whole Parquet file: it may be cut off, or be something else`);
    });
    const columns = listColumns(parquetSchema(metadata)).filter(({ name }) => columnNames.includes(name));
    return {
      rowCount: Number(metadata.num_rows),
      columns: columns.map(({ name }) => name),
      /** All rows but the first `skip`, in slices. */
      readRows: (skip: number) => readSlices({ file, handle, metadata, columns }, skip),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readBytes(handle: FileHandle, from: number, to: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(Math.max(0, to - from));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
  return bytes.buffer.slice(0, bytesRead);
}

const isList = ({ element }: SchemaTree) => element.converted_type === 'LIST' || element.logical_type?.type === 'LIST';

/** The leaf columns, named without the groups that the format puts between a list and its elements. */
function listColumns(root: SchemaTree): Column[] {
  const descend = (node: SchemaTree, parents: SchemaTree[], name: string): Column[] => {
    const schemaPath = [...parents, node];
    if (!node.children.length) return [{ name, schemaPath }];
    if (!isList(node)) {
      return node.children.flatMap((child) => descend(child, schemaPath, `${name}.${child.element.name}`));
    }
    return node.children.flatMap((group) =>
      group.children.length
        ? group.children.flatMap((element) => descend(element, [...schemaPath, group], name))
        : descend(group, schemaPath, name),
    );
  };
  return root.children.flatMap((column) => descend(column, [root], column.element.name));
}

interface OpenFile {
  file: string;
  handle: FileHandle;
  metadata: FileMetaData;
  columns: Column[];
}

async function* readSlices({ file, handle, metadata, columns }: OpenFile, skip: number): AsyncGenerator<ParquetRows> {
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    let row = groupStart;
    try {
      const readers = groupEnd > skip ? columns.map((column) => readColumn(handle, group, column)) : [];
      while (readers.length && row < groupEnd) {
        const slice = await readSlice(columns, readers, Math.min(ROWS_PER_SLICE, groupEnd - row));
        row += slice.count;
        if (row > skip) yield takeLast(slice, row - skip);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      throw new Error(`${file} cannot be read after row ${row}: ${reason}`, { cause: error });
    }
    groupStart = groupEnd;
  }
}

async function readSlice(columns: Column[], readers: AsyncGenerator<unknown[]>[], count: number): Promise<ParquetRows> {
  const values = await Promise.all(readers.map((reader) => reader.next()));
  if (values.some(({ value }) => value?.length !== count)) throw new Error('its columns are not of one length');
  return { count, columns: new Map(columns.map(({ name }, at) => [name, values[at]?.value])) };
}

function takeLast({ count, columns }: ParquetRows, limit: number): ParquetRows {
  if (count <= limit) return { count, columns };
  return { count: limit, columns: new Map([...columns].map(([name, values]) => [name, values.slice(-limit)])) };
}

/** The values of one column of a row group, in slices, assembled from their levels (Dremel encoding). */
async function* readColumn(handle: FileHandle, group: RowGroup, column: Column): AsyncGenerator<unknown[]> {
  const { name, schemaPath } = column;
  const path = schemaPath.at(-1)?.path.join('.');
  const chunk = group.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === path)?.meta_data;
  if (!chunk) throw new Error(`the column ${name} is missing`);
  const maxLevel = countDefinitionLevels(schemaPath);
  // From this definition level on a list has an element, which may be null. 0 for a column that is no list.
  const repeatedAt = schemaPath.findIndex(({ element }) => element.repetition_type === 'REPEATED');
  const elementLevel = countDefinitionLevels(schemaPath.slice(0, repeatedAt + 1));
  let slice: unknown[] = [];
  for await (const { values, definitionLevels, repetitionLevels } of readPages(handle, chunk, schemaPath)) {
    const count = repetitionLevels.length || definitionLevels.length || values.length;
    let nextValue = 0;
    for (let at = 0; at < count; at += 1) {
      const level = definitionLevels[at] ?? maxLevel;
      const value = level === maxLevel ? values[nextValue++] : null;
      if (repetitionLevels[at]) {
        (slice.at(-1) as unknown[]).push(value); // another element of the last row's list
        continue;
      }
      if (slice.length === ROWS_PER_SLICE) {
        yield slice;
        slice = [];
      }
      if (!elementLevel) slice.push(value);
      else slice.push(level >= elementLevel ? [value] : null);
    }
  }
  if (slice.length) yield slice;
}

const countDefinitionLevels = (schemaPath: SchemaTree[]) =>
  schemaPath.slice(1).filter(({ element }) => element.repetition_type !== 'REQUIRED').length;

interface DataPage {
  /** Without the nulls. */
  values: DecodedArray;
  definitionLevels: number[];
  repetitionLevels: number[];
}

/** The data pages of a column of a row group. */
async function* readPages(
  handle: FileHandle,
  chunk: ColumnMetaData,
  schemaPath: SchemaTree[],
): AsyncGenerator<DataPage> {
  const decoder = createDecoder(chunk, schemaPath);
  let at = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
  const end = at + Number(chunk.total_compressed_size);
  const view = createView(handle, end);
  let dictionary: DecodedArray | undefined;
  while (at < end) {
    const reader = { view: await view(at, MAX_HEADER_BYTES), offset: 0 };
    const header = parquetHeader(reader);
    const size = header.compressed_page_size;
    at += reader.offset;
    if (!(size >= 0 && at + size <= end && header.uncompressed_page_size <= MAX_PAGE_BYTES)) {
      throw new Error('bad page');
    }
    const page = await view(at, size);
    at += size;
    if (header.type === 'DICTIONARY_PAGE') {
      const { data = [] } = readPage({ view: page, offset: 0 }, header, decoder, undefined, undefined, 0);
      dictionary = convert(data, decoder);
    } else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2') {
      yield decodePage(new Uint8Array(page.buffer, page.byteOffset, size), header, decoder, dictionary);
    }
  }
}

type Decoder = ReturnType<typeof createDecoder>;

function createDecoder({ codec, type, path_in_schema: pathInSchema }: ColumnMetaData, schemaPath: SchemaTree[]) {
  const element = schemaPath.at(-1)?.element;
  if (!element) throw new Error('no such column');
  return { pathInSchema, type, element, schemaPath, codec, compressors, parsers: PARSERS, utf8: false };
}

/** Not by hyparquet's readPage, which makes nested arrays of every row: a page may have hundreds of thousands. */
function decodePage(bytes: Uint8Array, header: PageHeader, decoder: Decoder, dictionary: DecodedArray | undefined) {
  const { data_page_header: v1, data_page_header_v2: v2, uncompressed_page_size: size } = header;
  const encoding = (v1 ?? v2)?.encoding;
  if (!encoding) throw new Error('bad page');
  const { definitionLevels, repetitionLevels, dataPage } = v1
    ? readDataPage(decompressPage(bytes, size, decoder.codec, compressors), v1, decoder)
    : readDataPageV2(bytes, header, decoder);
  const values = convertWithDictionary(dataPage, dictionary, encoding, decoder);
  return { values, definitionLevels: definitionLevels ?? [], repetitionLevels };
}

/** Returns a view of the file that begins at an offset and has at least the given bytes, or all that are left. */
function createView(handle: FileHandle, end: number) {
  let from = 0;
  let buffer = new ArrayBuffer(0);
  return async (at: number, minBytes: number): Promise<DataView> => {
    if (at < from || Math.min(end, at + minBytes) > from + buffer.byteLength) {
      buffer = await readBytes(handle, at, Math.min(end, at + Math.max(minBytes, READ_BYTES)));
      from = at;
    }
    return new DataView(buffer, at - from);
  };
}
