import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressBar } from './places-load-progress.ts';

const report = (read: number) => ({ read, kept: read - 1, skipped: {}, unreadable: [], resumedAfter: 0 });

function screen(isTTY: boolean, columns = 120) {
  const out = Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream;
  return { out, shown: () => String((out as unknown as PassThrough).read() ?? '') };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('somebody who watches sees a bar that grows in its place, and goes when all is read', () => {
  const { out, shown } = screen(true);
  const bar = progressBar('/somewhere/uk.parquet', out);
  bar.show(report(10), 0.1);
  expect(shown(), 'not at every batch').toBe('');
  vi.advanceTimersByTime(300);
  bar.show(report(500), 0.5);
  expect(shown()).toBe(`\r\u001b[Kuk.parquet [${'#'.repeat(15)}${'-'.repeat(15)}] 50%, 500 read, 499 kept`);
  bar.end();
  expect(shown()).toBe('\r\u001b[K');
});

test('a narrow window does not break the line', () => {
  const { out, shown } = screen(true, 40);
  const bar = progressBar('a-file-with-a-rather-long-name.parquet', out);
  vi.advanceTimersByTime(300);
  bar.show(report(500), 1);
  expect(shown().replace('\r\u001b[K', '')).toHaveLength(40);
  const unknown = screen(true, 0);
  const wide = progressBar('uk.parquet', unknown.out);
  vi.advanceTimersByTime(300);
  wide.show(report(500), 1);
  expect(unknown.shown(), 'a width that nobody knows').toContain('100%');
});

test('in a log there is a line now and then', () => {
  const { out, shown } = screen(false);
  const bar = progressBar('uk.csv', out);
  vi.advanceTimersByTime(9_000);
  bar.show(report(500), 0.5);
  expect(shown()).toBe('');
  vi.advanceTimersByTime(2_000);
  bar.show(report(600), 0.6);
  bar.end();
  expect(shown()).toMatch(/^uk\.csv \[.*\] 60%, 600 read, 599 kept\n$/);
});
