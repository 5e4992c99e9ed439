import { type FileHandle, open } from 'node:fs/promises';
import { type FileMetaData, parquetMetadataAsync, parquetSchema, type RowGroup, type SchemaTree } from 'hyparquet';
import { getMaxDefinitionLevel, isListLike } from 'hyparquet/src/schema.js';
import { PARSERS, pagesOf, type ReadBytes } from './parquet-pages.ts';

/**
 * Some rows, column by column. A part of a nested column is called `column.part`; what a list has for a row, or a part of
 * a list, is an array.
 */
export interface ParquetSlice {
  rows: number;
  columns: Map<string, unknown[]>;
}

interface Column {
  name: string;
  path: SchemaTree[];
}

const AT_ONCE = 1_000;

/**
 * Some columns of a Parquet file, read a few pages and rows at a time. The library itself would put a whole row group
 * into memory, and some writers make one of a million rows.
 */
export async function openParquet(file: string, wanted: readonly string[]) {
  const handle = await open(file);
  try {
    const { size: byteLength } = await handle.stat();
    const read = bytesOf(handle);
    const metadata = await parquetMetadataAsync(
      { byteLength, slice: (from, to = byteLength) => read(from, to) },
      { geoparquet: false, parsers: PARSERS },
    ).catch(() => {
      throw new Error(`${file} is not a whole Parquet file: it may be cut off, or be something else`);
    });
    const columns = columnsOf(parquetSchema(metadata)).filter(({ name }) => wanted.includes(name));
    return {
      rows: Number(metadata.num_rows),
      columns: columns.map(({ name }) => name),
      /** The rows after the first so many, in slices. */
      slices: (skip: number) => slicesOf({ file, read, metadata, columns }, skip),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const bytesOf =
  (handle: FileHandle): ReadBytes =>
  async (from, to) => {
    const bytes = new Uint8Array(Math.max(0, to - from));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    return bytes.buffer.slice(0, bytesRead);
  };

/** The columns that hold values, named without the groups that the format puts between a list and its elements. */
function columnsOf(root: SchemaTree): Column[] {
  const below = (node: SchemaTree, path: SchemaTree[], names: string[]): Column[] => {
    const here = [...path, node];
    if (!node.children.length) return [{ name: names.join('.'), path: here }];
    if (!isListLike(node)) return node.children.flatMap((one) => below(one, here, [...names, one.element.name]));
    return node.children.flatMap((group) =>
      group.children.length
        ? group.children.flatMap((element) => below(element, [...here, group], names))
        : below(group, here, names),
    );
  };
  return root.children.flatMap((column) => below(column, [root], [column.element.name]));
}

interface Reading {
  file: string;
  read: ReadBytes;
  metadata: FileMetaData;
  columns: Column[];
}

async function* slicesOf({ file, read, metadata, columns }: Reading, skip: number): AsyncGenerator<ParquetSlice> {
  let before = 0;
  for (const group of metadata.row_groups) {
    const end = before + Number(group.num_rows);
    let row = before;
    try {
      const cells = end > skip ? columns.map((column) => cellsOf(read, group, column)) : [];
      while (cells.length && row < end) {
        const slice = await sliceOf(columns, cells, Math.min(AT_ONCE, end - row));
        row += slice.rows;
        if (row > skip) yield lastOf(slice, row - skip);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      throw new Error(`${file} cannot be read after row ${row}: ${reason}`, { cause: error });
    }
    before = end;
  }
}

async function sliceOf(columns: Column[], cells: AsyncGenerator<unknown[]>[], rows: number): Promise<ParquetSlice> {
  const slices = await Promise.all(cells.map((column) => column.next()));
  if (slices.some(({ value }) => value?.length !== rows)) throw new Error('its columns are not of one length');
  return { rows, columns: new Map(columns.map(({ name }, at) => [name, slices[at]?.value])) };
}

function lastOf({ rows, columns }: ParquetSlice, most: number): ParquetSlice {
  if (rows <= most) return { rows, columns };
  return { rows: most, columns: new Map([...columns].map(([name, cells]) => [name, cells.slice(-most)])) };
}

/** What one column has for each row of a row group, so many rows at a time. */
async function* cellsOf(read: ReadBytes, group: RowGroup, { name, path }: Column): AsyncGenerator<unknown[]> {
  const place = path.at(-1)?.path.join('.');
  const chunk = group.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === place)?.meta_data;
  if (!chunk) throw new Error(`the column ${name} is missing`);
  const whole = getMaxDefinitionLevel(path);
  // The level from which on a list has an element, even if that is nothing; 0 is no list.
  const listed = getMaxDefinitionLevel(path.slice(0, 1 + path.findIndex(repeated)));
  let slice: unknown[] = [];
  for await (const { values, definition, repetition } of pagesOf(read, chunk, path)) {
    const cells = repetition.length || definition.length || values.length;
    let next = 0;
    for (let at = 0; at < cells; at += 1) {
      const level = definition[at] ?? whole;
      const cell = level === whole ? values[next++] : null;
      if (repetition[at]) {
        (slice.at(-1) as unknown[]).push(cell); // an element more of the list that the last row has
        continue;
      }
      if (slice.length === AT_ONCE) {
        yield slice;
        slice = [];
      }
      slice.push(listed && level >= listed ? [cell] : listed ? null : cell);
    }
  }
  if (slice.length) yield slice;
}

const repeated = ({ element }: SchemaTree) => element.repetition_type === 'REPEATED';
