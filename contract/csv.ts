export const BYTE_ORDER_MARK = '\ufeff';

export type CsvValue = string | number | null;

// Spreadsheets run a cell that starts with these as a formula, also after white space and in full width. Apostrophes before
// them are typed text: with one more, none is lost when the file is imported.
const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** Removes the apostrophe that an export puts before a formula. */
export const stripFormulaGuard = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

/** A record of RFC 4180, every field quoted and protected against formula injection. */
export const csvLine = (fields: readonly CsvValue[]) => `${fields.map(csvField).join(',')}\r\n`;

/** A whole file, with the byte order mark that spreadsheets need to read UTF-8. */
export const csvFile = (rows: readonly (readonly CsvValue[])[]) => BYTE_ORDER_MARK + rows.map(csvLine).join('');

function csvField(value: CsvValue): string {
  const text = value === null ? '' : String(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
