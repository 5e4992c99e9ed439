import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from './load-progress.ts';

const report = { read: 500, kept: 499, skipped: {}, unreadable: [], resumedAfter: 0 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['a terminal rewrites one line', { isTTY: true, columns: 120 }, 300, '\r\u001b[Kuk.csv: 50%, 500 read, 499 kept'],
  ['a narrow terminal does not wrap it', { isTTY: true, columns: 10 }, 300, '\r\u001b[Kuk.csv: 50'],
  ['a terminal is not rewritten for every batch', { isTTY: true, columns: 120 }, 100, ''],
  ['a log gets a line', { isTTY: false }, 11_000, 'uk.csv: 50%, 500 read, 499 kept\n'],
  ['a log gets a line only now and then', { isTTY: false }, 9_000, ''],
])('%s', (_case, terminal, elapsedMs, expected) => {
  const out = Object.assign(new PassThrough({ encoding: 'utf8' }), terminal);
  const progress = showProgress('/folder/uk.csv', out as unknown as NodeJS.WriteStream);
  vi.advanceTimersByTime(elapsedMs);
  progress(report, 0.5);
  expect(out.read() ?? '').toBe(expected);
});
