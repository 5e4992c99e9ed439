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

test('one process at a time holds the lock, and every waiting one gets it', async () => {
  let inside = 0;
  let maxInside = 0;
  const work = async () => {
    inside += 1;
    maxInside = Math.max(maxInside, inside);
    await wait(30);
    inside -= 1;
    return 'done';
  };
  expect(await Promise.all([1, 2, 3].map(() => withLock(file, work)))).toEqual(['done', 'done', 'done']);
  expect(maxInside).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('work that fails releases the lock', async () => {
  await expect(withLock(file, async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await withLock(file, async () => 'next')).toBe('next');
});

test('the lock of a dead process is replaced at once', async () => {
  writeFileSync(file, `${NO_SUCH_PROCESS} ${hostname()}`);
  expect(await withLock(file, async () => 'mine')).toBe('mine');
});

const longAgo = new Date(Date.now() - 3_600_000);

test('an old lock of another machine is replaced', async () => {
  writeFileSync(file, '1 another-machine');
  utimesSync(file, longAgo, longAgo);
  expect(await withLock(file, async () => 'mine')).toBe('mine');
});

test('a recent lock of another machine is respected', async () => {
  writeFileSync(file, '1 another-machine');
  const waiting = withLock(file, async () => 'mine');
  expect(await Promise.race([waiting, wait(500, 'waiting')])).toBe('waiting');
  rmSync(file);
  expect(await waiting).toBe('mine');
});

test('a lock is replaced although an earlier takeover was interrupted', async () => {
  writeFileSync(file, `${NO_SUCH_PROCESS} ${hostname()}`);
  writeFileSync(`${file}.takeover`, `${NO_SUCH_PROCESS} ${hostname()}`);
  expect(await withLock(file, async () => 'mine')).toBe('mine');
});
