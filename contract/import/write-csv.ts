const LOOKS_LIKE_A_FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** A CSV that spreadsheets open as it is meant: every cell quoted, none of them taken for a formula. */
export function writeCsv(rows: string[][]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const safe = LOOKS_LIKE_A_FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
