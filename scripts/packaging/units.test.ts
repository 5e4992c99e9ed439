import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../setup/paths.mjs';

const textOf = (file: string) => readFileSync(at(file), 'utf8');
const unit = textOf('packaging/systemd/highstreet@.service');
const seconds = (text: string, setting: RegExp) => Number(setting.exec(text)?.[1]);

test('whoever stops the product waits longer than it takes', () => {
  const [, milliseconds = ''] = /STOP_MS = ([\d_]+)/.exec(textOf('server/main.ts')) ?? [];
  const ownLimit = Number(milliseconds.replaceAll('_', '')) / 1000;
  expect(ownLimit).toBeGreaterThan(5);
  expect(seconds(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(ownLimit);
  expect(seconds(textOf('compose.yaml'), /highstreet:[\s\S]*?stop_grace_period: (\d+)s/)).toBeGreaterThan(ownLimit);
});

test.each(['highstreet@.service', 'highstreet-backup.service'])('%s starts programs that the build makes', (name) => {
  const programs = [...textOf(`packaging/systemd/${name}`).matchAll(/dist\/server\/([\w-]+)\.js/g)].map(
    ([, each]) => each,
  );
  expect(programs.length).toBeGreaterThan(0);
  for (const program of programs)
    expect(textOf('scripts/build/build-server.ts')).toMatch(new RegExp(`\\b'?${program}'?: '`));
});

test('a page names only files that are there', () => {
  const page = textOf('docs/operations.md');
  const named = [...page.matchAll(/packaging\/[\w./@-]*\w/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(at(path)))).toEqual([]);
});
