import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../scripts/setup/paths.mjs';

const readText = (file: string) => readFileSync(at(file), 'utf8');
const unit = readText('packaging/systemd/highstreet@.service');
const seconds = (text: string, setting: RegExp) => Number(setting.exec(text)?.[1]);

test('systemd and compose wait longer for a stop than the product takes', () => {
  const [, milliseconds = ''] = /STOP_TIMEOUT_MS = ([\d_]+)/.exec(readText('server/main.ts')) ?? [];
  const ownLimit = Number(milliseconds.replaceAll('_', '')) / 1000;
  expect(ownLimit).toBeGreaterThan(5);
  expect(seconds(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(ownLimit);
  expect(seconds(readText('compose.yaml'), /highstreet:[\s\S]*?stop_grace_period: (\d+)s/)).toBeGreaterThan(ownLimit);
});

test.each(['highstreet@.service', 'highstreet-backup.service'])('%s starts programs that are built', (name) => {
  const programs = [...readText(`packaging/systemd/${name}`).matchAll(/dist\/server\/([\w-]+)\.js/g)];
  expect(programs.length).toBeGreaterThan(0);
  const built = `${readText('scripts/build/build-server.ts')} 'main'`;
  for (const [, program] of programs) expect(built).toContain(`'${program}'`);
});

/** What decides whether the backup finds the database of the server: account, folders, namespaces. */
const SHARED_SETTINGS = [
  ...['User', 'Group', 'UMask', 'WorkingDirectory', 'EnvironmentFile', 'StateDirectory', 'StateDirectoryMode'],
  ...[
    'PrivateUsers',
    'RestrictNamespaces',
    'CapabilityBoundingSet',
    'AmbientCapabilities',
    'ProtectSystem',
    'ProtectHome',
  ],
];

test.each(SHARED_SETTINGS)('server and backup have the same %s', (name) => {
  const backup = readText('packaging/systemd/highstreet-backup.service');
  const values = (text: string) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
  expect(values(unit)).toHaveLength(1);
  expect(values(backup)).toEqual(values(unit));
});

test('server and backup have the same data folder, and both may write to it', () => {
  const dataDir = (text: string) => /^Environment=.*\bDATA_DIR=(\S+)/m.exec(text)?.[1];
  const backup = readText('packaging/systemd/highstreet-backup.service');
  expect(dataDir(unit)).toBe(`/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)?.[1]}`);
  expect(dataDir(backup)).toBe(dataDir(unit));
});

test('docs/operations.md names only files that exist', () => {
  const page = readText('docs/operations.md');
  const named = [...page.matchAll(/packaging\/[\w./@-]*\w/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(at(path)))).toEqual([]);
});
