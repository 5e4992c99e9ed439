import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freeBytesIn, Space } from './space.ts';

const MIB = 1024 * 1024;
let folder: string;
let free: number;
let reserveFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'space-'));
  reserveFile = join(folder, 'reserve');
  free = 100 * MIB;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const open = () => new Space(reserveFile, { keepFreeBytes: 8 * MIB, reserveBytes: 4 * MIB }, { free: () => free });

test('with room, a reserve is put aside', () => {
  expect(open().hasRoom()).toBe(true);
  expect(statSync(reserveFile).size).toBe(4 * MIB);
});

test('below the limit there is no room, until there is again', () => {
  const space = open();
  space.hasRoom(10_000);
  free = 7 * MIB;
  expect(space.hasRoom(11_000)).toBe(false);
  free = 8 * MIB;
  expect(space.hasRoom(12_000)).toBe(true);
});

test('the disk is looked at once a second, not at every statement', () => {
  const space = open();
  space.hasRoom(10_000);
  free = 0;
  expect(space.hasRoom(10_999)).toBe(true);
});

test('the reserve is given back to open on a full disk, and writing waits until it fits again', () => {
  const space = open();
  space.hasRoom(10_000);
  free = 0;
  space.makeRoomToOpen();
  expect(existsSync(reserveFile)).toBe(false);

  free = 11 * MIB; // enough for the limit, not for the reserve as well
  expect(space.hasRoom(20_000)).toBe(false);
  free = 12 * MIB;
  expect(space.hasRoom(30_000)).toBe(true);
  expect(existsSync(reserveFile)).toBe(true);
});

test('the free space of a folder is known', () => {
  expect(freeBytesIn(folder)).toBeGreaterThan(0);
});
