import { REASON_COLUMN } from '#contract/import/import.calls.ts';
import { IMPORT_COLUMNS } from '#contract/import/import-target.ts';

const HEAD_BYTES = 64 * 1024;
/** As many as the server looks for headings in. */
const HEAD_ROWS = 10;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
const BINARY = /[\u0000-\u0008\u000e-\u001f]/;
const DELIMITERS = [',', ';', '\t'];

/** `fixed`: the headings are those of the template. `chosen`: the administrator matches the columns. */
export type ColumnMode = 'fixed' | 'chosen';

/** Reads the beginning of a CSV file, and decides how its columns are found. */
export async function decideColumns(file: File): Promise<ColumnMode> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const text = decodeHead(bytes);
  // Not text, whatever its name says: the specified call refuses it.
  if (BINARY.test(text)) return 'fixed';
  const [first = []] = parseFirstRows(text);
  const headings = first.filter((cell) => cell.trim() !== '');
  const isFixed = (heading: string) => [...IMPORT_COLUMNS, REASON_COLUMN].some((column) => isHeading(heading, column));
  const named = headings.some((heading) => isHeading(heading, 'Business Name'));
  return named && headings.every(isFixed) ? 'fixed' : 'chosen';
}

/** In any case and spacing. */
const isHeading = (heading: string, column: string) =>
  heading.replace(/\s+/g, ' ').trim().toLowerCase() === column.toLowerCase();

/** UTF-16 with a byte-order mark, UTF-8, otherwise Windows-1252. */
export function decodeHead(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // As a stream: the head may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The cells of the first rows that are not blank. */
export function parseFirstRows(text: string): string[][] {
  const delimiter = detectDelimiter(text);
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = () => {
    if ([...cells, cell].some((each) => each.trim() !== '')) rows.push([...cells, cell]);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length < HEAD_ROWS; at += 1) {
    const char = text.charAt(at);
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text.charAt(++at);
      else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === '\n' || char === '\r') endRow();
    else if (char === delimiter) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  if (rows.length < HEAD_ROWS) endRow();
  return rows;
}

/** The delimiter that occurs most often, outside quotes, in the first line that has one. */
function detectDelimiter(text: string): string {
  const lines = text.replace(/"[^"]*"?/g, '').split(/[\r\n]+/, HEAD_ROWS);
  const line = lines.find((each) => DELIMITERS.some((delimiter) => each.includes(delimiter))) ?? '';
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}
