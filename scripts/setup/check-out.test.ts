import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOut } from './check-out.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-out-'));
  git('init', '--quiet', '--initial-branch=main');
  for (const version of ['1.0.0', '1.1.0']) {
    writeFileSync(join(folder, 'version'), version);
    git('add', 'version');
    git('commit', '--quiet', '--message', version);
    git('tag', `v${version}`);
  }
  git('checkout', '--quiet', '-B', 'main', 'v1.0.0');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
const codeHere = () => readFileSync(join(folder, 'version'), 'utf8');

test.each(['1.1.0', 'v1.1.0'])('the tag of %s is checked out, and the former branch afterwards', (version) => {
  const goBack = checkOut(folder, version);
  expect(codeHere()).toBe('1.1.0');
  goBack();
  expect(codeHere()).toBe('1.0.0');
  expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main');
});

test('a checkout of a commit goes back to that commit', () => {
  git('checkout', '--quiet', '--detach', 'v1.0.0');
  checkOut(folder, '1.1.0')();
  expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'v1.0.0'));
});

test('a version that was not fetched is refused', () => {
  expect(() => checkOut(folder, '9.9.9')).toThrow(
    'there is no tag v9.9.9 in this checkout. Fetch it first: git fetch --tags',
  );
  expect(codeHere()).toBe('1.0.0');
});

test('changes of files are kept, and refused', () => {
  writeFileSync(join(folder, 'version'), 'mine');
  expect(() => checkOut(folder, '1.1.0')).toThrow('files of this checkout were changed');
  expect(codeHere()).toBe('mine');
});

test('files that git does not know are left alone', () => {
  writeFileSync(join(folder, '.env'), 'PORT=3001');
  checkOut(folder, '1.1.0');
  expect(codeHere()).toBe('1.1.0');
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('PORT=3001');
});

test('a folder without git is refused', () => {
  rmSync(join(folder, '.git'), { recursive: true });
  expect(() => checkOut(folder, '1.1.0')).toThrow(`${folder} is not a git checkout`);
});
