import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirInUse, lockDataDir } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a folder is held by one, who is named to the next', async () => {
  const lock = await lockDataDir(folder);
  const refused = await lockDataDir(folder).catch((error: unknown) => error);
  await lock.release();

  expect(refused).toBeInstanceOf(DataDirInUse);
  expect((refused as Error).message).toMatch(
    new RegExp(`^The data folder .* is in use by process ${process.pid} on .* Stop it first, or set DATA_DIR`),
  );
  expect((refused as Error).message).not.toContain('\n');
});

test('a released folder is free, and nothing is left in it', async () => {
  await (await lockDataDir(folder)).release();
  const again = await lockDataDir(folder);
  await again.release();

  expect(existsSync(join(folder, 'database.lock'))).toBe(false);
  expect(existsSync(join(folder, 'database.sock'))).toBe(false);
});

test('of ten that come at once, one gets it', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataDir(folder)));
  const held = tries.filter((attempt) => attempt.status === 'fulfilled');
  await Promise.all(held.map(({ value }) => value.release()));

  expect(held).toHaveLength(1);
});

test('what a killed process left behind is taken over', async () => {
  writeFileSync(join(folder, 'database.sock'), ''); // a socket file that nobody listens on refuses just the same
  writeFileSync(join(folder, 'database.lock'), `${process.pid} on this machine\n`);
  writeFileSync(join(folder, 'database.starting'), '');
  utimesSync(join(folder, 'database.starting'), new Date(0), new Date(0));

  const lock = await lockDataDir(folder);
  await lock.release();
});

test('where the folder takes no socket, another place serves', async () => {
  mkdirSync(join(folder, 'database.sock/in-the-way'), { recursive: true });
  const lock = await lockDataDir(folder);

  await expect(lockDataDir(folder)).rejects.toThrow(DataDirInUse);
  await lock.release();
});

test('a folder too deep for a socket address is locked as well', async () => {
  const deep = join(folder, 'd'.repeat(100), 'e'.repeat(100));
  mkdirSync(deep, { recursive: true });
  const lock = await lockDataDir(deep);

  await expect(lockDataDir(deep)).rejects.toThrow(DataDirInUse);
  await lock.release();
});
