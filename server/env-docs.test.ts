import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULTS, readEnv, VARIABLES } from './kit/env.ts';
import { ROOT } from './paths.ts';

const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const rows = [...readText('docs/environment.md').matchAll(/^\| `([A-Z_]+)` \| (?:`(.+?)`|unset) \| .+ \|$/gm)].map(
  ([, name = '', fallback]) => ({ name, fallback }),
);

test('docs/environment.md describes every variable once, and no others', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual([...VARIABLES].sort());
});

test.each(rows)('docs/environment.md states the default of $name: $fallback', ({ name, fallback }) => {
  if (fallback === undefined) expect(DEFAULTS).not.toHaveProperty(name);
  else expect(readEnv({ [name]: fallback })).toEqual(readEnv({}));
});

test('README.md lists every variable', () => {
  const readme = readText('README.md');
  expect(VARIABLES.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

const OTHER_VARIABLES = ['TEST_DATABASE_URL', 'CHROMIUM_PATH'];
const PAGES = ['README.md', 'docs/operations.md', 'packaging/systemd/highstreet.env', 'compose.yaml', 'Dockerfile'];

test.each(PAGES)('%s mentions only variables that exist', (file) => {
  const mentioned = [...readText(file).matchAll(/(?<=[`\s#])[A-Z]{2,}(_[A-Z]+)+(?=[`=:])/g)].map(([name]) => name);
  expect(mentioned).not.toEqual([]);
  expect(
    mentioned.filter((name) => ![...VARIABLES, ...OTHER_VARIABLES].includes(name) && !name.startsWith('POSTGRES_')),
  ).toEqual([]);
});
