import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putBack, replaceFolder } from './replace-folder.mjs';

let parent: string;
let folder: string;
let former: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'replace-'));
  [folder, former] = [join(parent, 'packages'), join(parent, 'former')];
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function write(name: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), '');
}
const replace = (work: () => Promise<void>) => replaceFolder(folder, former, work);

test('the new folder takes the place of the former one', async () => {
  write('old');
  await replace(async () => write('new'));
  expect([readdirSync(parent), readdirSync(folder)]).toEqual([['packages'], ['new']]);
});

test('when the work fails, the former folder is back', async () => {
  write('old');
  const failing = replace(async () => {
    write('half');
    throw new Error('no network');
  });
  await expect(failing).rejects.toThrow('no network');
  expect([readdirSync(parent), readdirSync(folder)]).toEqual([['packages'], ['old']]);
});

test('without a former folder there is none to put back', async () => {
  await expect(replace(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  await replace(async () => write('new'));
  expect(readdirSync(folder)).toEqual(['new']);
});

test('what a killed process left is put back by the next one', () => {
  putBack(folder, former);
  expect(existsSync(folder)).toBe(false);
  write('half');
  mkdirSync(former);
  writeFileSync(join(former, 'old'), '');
  putBack(folder, former);
  expect([readdirSync(parent), readdirSync(folder)]).toEqual([['packages'], ['old']]);
});
