import { basename } from 'node:path';
import type { LoadReport } from '#server/places/open-data/load-places.ts';

const WIDTH = 30;
const EVERY_MS = 200;
const EVERY_MS_IN_A_LOG = 10_000;

/** How far a load has come: a bar where somebody watches, now and then a line where it is written to a file. */
export function progressBar(file: string, out: NodeJS.WriteStream = process.stdout) {
  const started = performance.now();
  let drawn = started;
  return {
    show({ read, kept }: LoadReport, share: number) {
      const now = performance.now();
      if (now - drawn < (out.isTTY ? EVERY_MS : EVERY_MS_IN_A_LOG)) return;
      drawn = now;
      const text = `${basename(file)} ${bar(share)} ${Math.floor(share * 100)}%, ${read} read, ${kept} kept`;
      if (out.isTTY) out.write(`\r\u001b[K${text}`.slice(0, (out.columns || 80) + 4));
      else out.write(`${text}\n`);
    },
    end() {
      if (out.isTTY) out.write('\r\u001b[K');
    },
  };
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}]`;
}
