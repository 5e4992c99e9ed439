import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  file = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NO_SUCH_PROCESS = 2 ** 22 + 1;

test('only one at a time, and all in the end', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await wait(30);
    inside -= 1;
    return 'done';
  };
  expect(await Promise.all([1, 2, 3].map(() => withLock(file, work)))).toEqual(['done', 'done', 'done']);
  expect(most).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('work that fails gives the lock back', async () => {
  await expect(withLock(file, async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await withLock(file, async () => 'next')).toBe('next');
});

test('a holder whose process is gone is replaced at once', async () => {
  writeFileSync(file, `${NO_SUCH_PROCESS} ${hostname()} 0`);
  expect(await withLock(file, async () => 'mine')).toBe('mine');
});

test('a silent holder on another machine is replaced', async () => {
  writeFileSync(file, '1 another-machine 0');
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(file, longAgo, longAgo);
  expect(await withLock(file, async () => 'mine')).toBe('mine');
});

test('a takeover that died half-way is itself taken over', async () => {
  writeFileSync(file, `${NO_SUCH_PROCESS} ${hostname()} 0`);
  writeFileSync(`${file}.takeover`, 'somebody');
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(`${file}.takeover`, longAgo, longAgo);
  expect(await withLock(file, async () => 'mine')).toBe('mine');
});
