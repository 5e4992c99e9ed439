import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from './scripts/setup/paths.mjs';

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
const locked: [string, Record<string, unknown>][] = Object.entries(packages);

test('every version is pinned exactly', () => {
  const { 'openapi-typescript': generator, ...overrides } = manifest.overrides;
  // It asks for an older compiler than ours, and gets one in its test.
  expect(generator).toEqual({ typescript: '$typescript' });
  const named = { ...manifest.dependencies, ...manifest.devDependencies, ...overrides };
  expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(locked.filter(([, entry]) => entry.resolved).map(([path]) => path)).toEqual([]);
  // Links for funding or about a deprecation are not fetched.
  const fetched = locked.map(([path, { funding, deprecated, ...entry }]) => JSON.stringify([path, entry]));
  expect(fetched.filter((entry) => /https?:/.test(entry))).toEqual([]);
});

test('every locked package has a checksum', () => {
  const bare = locked.filter(([path, entry]) => path !== '' && !entry.integrity);
  expect(bare.map(([path]) => path)).toEqual([]);
});

test('npm writes exact versions and no registry into the lock file', () => {
  const settings = readFileSync(at('.npmrc'), 'utf8').split('\n');
  expect(settings).toEqual(
    expect.arrayContaining(['omit-lockfile-registry-resolved=true', 'save-exact=true', 'engine-strict=true']),
  );
});
