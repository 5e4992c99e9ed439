import { MAX_CELL_LENGTH, MAX_COLUMNS } from '#contract/import/import.calls.ts';
import { type CsvRecord, toLimitedRecord } from '#server/kit/csv/read-csv.ts';
import { parseXml, type XmlAttributes } from './parse-xml.ts';
import { type RandomAccessFile, workbookUnusable } from './read-zip.ts';
import { formatNumber, type NumberFormat, parseColumn } from './xlsx-cells.ts';
import { toSerial } from './xlsx-dates.ts';
import { openWorkbook, readFormats, readStrings } from './xlsx-workbook.ts';

/** The names of the visible sheets, in the order of the workbook. */
export const readSheetNames = async (file: RandomAccessFile): Promise<string[]> => [
  ...(await openWorkbook(file)).sheets.keys(),
];

/** The rows of a sheet without the blank ones, as `readCsv` returns those of a CSV file. */
export async function* readXlsx(file: RandomAccessFile, sheet: string): AsyncGenerator<CsvRecord[]> {
  const workbook = await openWorkbook(file);
  const path = workbook.sheets.get(sheet);
  if (path === undefined) throw workbookUnusable('The workbook has no such sheet.');
  const rows = createRowReader({
    strings: await readStrings(workbook),
    formats: await readFormats(workbook),
    from1904: workbook.from1904,
  });
  for await (const _ of parseXml(workbook.zip.read(path), rows.handlers)) {
    const records = rows.take();
    if (records.length) yield records;
  }
}

interface Tables {
  strings: string[];
  formats: NumberFormat[];
  from1904: boolean;
}

interface Cell {
  column: number;
  type: string;
  style: number;
  text: string;
}

/** Collects rows while the XML of a sheet is parsed. */
function createRowReader(tables: Tables) {
  const records: CsvRecord[] = [];
  let row = 0;
  let cells: string[] = [];
  let cell: Cell | undefined;
  let previousColumn = -1;
  let collecting = false;
  let phonetic = false;

  function openCell(attributes: XmlAttributes) {
    const column = parseColumn(attributes.r ?? '') ?? previousColumn + 1;
    previousColumn = column;
    cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), text: '' };
  }

  function closeCell() {
    if (!cell) return;
    // One column more than allowed is enough to notice the limit.
    const column = Math.min(cell.column, MAX_COLUMNS);
    const shown = showCell(cell, tables);
    if (shown) {
      while (cells.length < column) cells.push('');
      cells[column] = shown;
    }
    cell = undefined;
  }

  function openRow(attributes: XmlAttributes) {
    // Rows without a number, or in a wrong order, follow the row before.
    row = Math.max(row + 1, Number(attributes.r) || 0);
    cells = [];
    previousColumn = -1;
  }

  return {
    take: () => records.splice(0),
    handlers: {
      open(name: string, attributes: XmlAttributes) {
        if (name === 'row') openRow(attributes);
        if (name === 'c') openCell(attributes);
        if (name === 'rPh') phonetic = true;
        collecting = name === 'v' || (name === 't' && !phonetic);
      },
      text(text: string) {
        if (collecting && cell) cell.text = (cell.text + text).slice(0, MAX_CELL_LENGTH + 1);
      },
      close(name: string) {
        collecting = false;
        if (name === 'rPh') phonetic = false;
        if (name === 'c') closeCell();
        const record = name === 'row' && toLimitedRecord(row, cells);
        if (record) records.push(record);
      },
    },
  };
}

function showCell({ type, style, text }: Cell, { strings, formats, from1904 }: Tables): string {
  if (type === 's') return strings[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  if (type === 'e') return ''; // "#N/A" is no value
  const format = formats[style] ?? { kind: 'plain' };
  if (type === 'n') return formatNumber(text, format, from1904);
  if (type === 'd' && format.kind === 'date') return formatNumber(String(toSerial(text)), format, false);
  return text;
}
