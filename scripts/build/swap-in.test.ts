import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { swapIn } from './swap-in.ts';

let folder: string;
const at = (path: string) => join(folder, path);
const writeBuild = (path: string, content: string) => {
  mkdirSync(at(path), { recursive: true });
  writeFileSync(at(`${path}/file`), content);
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swap-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the new build replaces the old one, with its stamp', async () => {
  writeBuild('dist', 'old');
  writeBuild('building', 'new');

  await swapIn(at('building'), at('dist'), 'stamp');

  expect(readFileSync(at('dist/file'), 'utf8')).toBe('new');
  expect(readFileSync(at('dist/.stamp'), 'utf8')).toBe('stamp');
  expect([existsSync(at('building')), existsSync(at('dist.old'))]).toEqual([false, false]);
});

test('leftovers of an interrupted swap are removed', async () => {
  writeBuild('dist.old', 'older');
  writeBuild('building', 'new');

  await swapIn(at('building'), at('dist'), 'stamp');

  expect(readFileSync(at('dist/file'), 'utf8')).toBe('new');
  expect(existsSync(at('dist.old'))).toBe(false);
});
