const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the rows of a CSV file as its bytes come by, below the line of titles. A quoted line break ends no row. */
export function createCsvRowCounter() {
  let lines = 0;
  let quoted = false;
  let last = LINE_FEED;
  return {
    take(bytes: Uint8Array) {
      for (const byte of bytes) {
        if (byte === QUOTE) quoted = !quoted;
        else if (byte === LINE_FEED && !quoted) lines += 1;
      }
      last = bytes.at(-1) ?? last;
    },
    count: () => Math.max(0, lines - 1),
    /** Whether what has come so far ends where a row ends. */
    whole: () => lines > 0 && !quoted && last === LINE_FEED,
  };
}
