export const BYTE_ORDER_MARK = '\ufeff';

// Spreadsheets read what begins with these as a formula, behind white space and in full width too.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A line of RFC 4180: every field quoted, and none that a spreadsheet would run. */
export const csvLine = (fields: readonly (string | number | null)[]) => `${fields.map(csvField).join(',')}\r\n`;

/** A whole file, as spreadsheets open it. */
export const csvFile = (rows: readonly string[][]) => BYTE_ORDER_MARK + rows.map(csvLine).join('');

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
