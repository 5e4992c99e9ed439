import { IMPORT_COLUMNS } from '#contract/import/csv-row.ts';
import { REASON_COLUMN } from '#contract/import/import.calls.ts';
import { hasNameHeading } from '#contract/import/suggest-mapping.ts';

const HEAD_BYTES = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];

export interface HeadDecision {
  /** `fixed`: the headings are those of the template. `chosen`: the administrator matches the columns. */
  columns: 'fixed' | 'chosen';
  /** Whether a column has the heading "Business Name". */
  named: boolean;
}

/** Reads the beginning of a CSV file, and decides how its columns are found. */
export async function decideColumns(file: File): Promise<HeadDecision> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const headings = parseHeadings(decodeHead(bytes)).filter((heading) => heading.trim() !== '');
  const isFixed = (heading: string) => [...IMPORT_COLUMNS, REASON_COLUMN].some((column) => isHeading(heading, column));
  const named = headings.some((heading) => isHeading(heading, 'Business Name'));
  if (named && headings.every(isFixed)) return { columns: 'fixed', named };
  // A bare "Name" may be a person's. Without a business name the server refuses the file, and says what it needs.
  const telling = headings.filter((heading) => !/^\W*name\W*$/i.test(heading));
  return { columns: hasNameHeading(telling) ? 'chosen' : 'fixed', named };
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

/** The cells of the first line that is not blank. */
export function parseHeadings(text: string): string[] {
  const delimiter = detectDelimiter(text);
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text.charAt(++at);
      else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === '\n' || char === '\r') {
      if ([...cells, cell].some((each) => each.trim() !== '')) break;
      cells = [];
      cell = '';
    } else if (char === delimiter) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  return [...cells, cell];
}

/** The delimiter that occurs most often in the first line, outside quotes. */
function detectDelimiter(text: string): string {
  const outsideQuotes = text.replace(/"[^"]*"?/g, '');
  const [line = ''] = outsideQuotes.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}
