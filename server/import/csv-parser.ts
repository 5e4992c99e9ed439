import { MAX_CELL_LENGTH, MAX_COLUMNS } from '#contract/import/import.calls.ts';
import { csvUnusable } from './csv-unusable.ts';

export interface CsvRecord {
  /** As a spreadsheet counts: blank lines do, line breaks within quotes do not. */
  row: number;
  cells: string[];
  /** Why its cells are not all there. */
  tooMuch?: string;
}

export type CsvParser = ReturnType<typeof createCsvParser>;

const QUOTE = 34;
const LF = 10;
const CR = 13;

/**
 * Reads records out of text that comes in pieces. What exceeds a limit is dropped while it is read, so that no file can
 * make it hold more than one record of bounded size.
 */
export function createCsvParser(delimiter: string, found: (record: CsvRecord) => void) {
  const separator = delimiter.charCodeAt(0);
  let row = 1;
  let cells: string[] = [];
  let cell = '';
  let tooMuch: string | undefined;
  let state: 'start' | 'plain' | 'quoted' | 'after-quote' = 'start';
  let quotedSince = 0;
  let afterCr = false;

  const append = (text: string) => {
    if (cell.length + text.length > MAX_CELL_LENGTH)
      tooMuch ??= `A cell has more than ${thousands(MAX_CELL_LENGTH)} characters`;
    cell = (cell + text).slice(0, MAX_CELL_LENGTH);
  };
  const endCell = () => {
    if (cells.length < MAX_COLUMNS) cells.push(cell);
    else tooMuch ??= `It has more than ${MAX_COLUMNS} columns`;
    cell = '';
    state = 'start';
  };
  const endRecord = () => {
    endCell();
    const blank = cells.every((each) => each.trim() === '');
    if (!blank || tooMuch) found({ row, cells, ...(tooMuch && { tooMuch }) });
    row += 1;
    cells = [];
    tooMuch = undefined;
  };

  return {
    write(text: string) {
      for (let at = 0; at < text.length; ) {
        if (state === 'quoted') {
          const close = text.indexOf('"', at);
          append(text.slice(at, close === -1 ? text.length : close));
          if (close === -1) return;
          state = 'after-quote';
          at = close + 1;
          continue;
        }
        const code = text.charCodeAt(at);
        const secondOfCrLf = code === LF && afterCr;
        afterCr = false;
        if (secondOfCrLf) {
          at += 1;
        } else if (code === separator) {
          endCell();
          at += 1;
        } else if (code === LF || code === CR) {
          endRecord();
          afterCr = code === CR;
          at += 1;
        } else if (code === QUOTE && state !== 'plain') {
          if (state === 'after-quote') append('"');
          else quotedSince = row;
          state = 'quoted';
          at += 1;
        } else if (state === 'after-quote' && code !== 32) {
          throw csvUnusable(`Row ${row}: there is text behind a closing quote. Please check the quotes of this row.`);
        } else {
          const end = state === 'after-quote' ? at + 1 : endOfPlain(text, at, separator);
          if (state !== 'after-quote') {
            append(text.slice(at, end));
            state = 'plain';
          }
          at = end;
        }
      }
    },
    end() {
      if (state === 'quoted') throw csvUnusable(`Row ${quotedSince}: a quote is opened and never closed.`);
      if (cell || cells.length || state !== 'start' || tooMuch) endRecord();
    },
  };
}

function endOfPlain(text: string, from: number, separator: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LF || code === CR) return at;
  }
  return text.length;
}

const thousands = (count: number) => count.toLocaleString('en-US');
