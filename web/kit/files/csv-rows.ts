const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the rows of a CSV file below its header while it is downloaded. A quoted line break ends no row. */
export function createCsvRowCounter() {
  let lines = 0;
  let quoted = false;
  let last = LINE_FEED;
  return {
    add(bytes: Uint8Array) {
      for (const byte of bytes) {
        if (byte === QUOTE) quoted = !quoted;
        else if (byte === LINE_FEED && !quoted) lines += 1;
      }
      last = bytes.at(-1) ?? last;
    },
    count: () => Math.max(0, lines - 1),
    /** Whether the bytes so far end at the end of a row. */
    isComplete: () => lines > 0 && !quoted && last === LINE_FEED,
  };
}
