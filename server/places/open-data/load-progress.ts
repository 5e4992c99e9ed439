import { basename } from 'node:path';
import type { LoadReport } from './load-places.ts';

const TERMINAL_MS = 200;
const LOG_MS = 10_000;

/** Prints the progress of a load: one line that is rewritten on a terminal, a line now and then in a log. */
export function showProgress(file: string, out: NodeJS.WriteStream = process.stdout) {
  let printed = performance.now();
  return ({ read, kept }: LoadReport, share: number) => {
    const now = performance.now();
    if (now - printed < (out.isTTY ? TERMINAL_MS : LOG_MS)) return;
    printed = now;
    const text = `${basename(file)}: ${Math.floor(share * 100)}%, ${read} read, ${kept} kept`;
    out.write(out.isTTY ? `\r\u001b[K${text.slice(0, out.columns || 80)}` : `${text}\n`);
  };
}
