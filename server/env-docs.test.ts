import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULTS, readEnv, VARIABLES } from './kit/env.ts';
import { ROOT } from './paths.ts';

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const rows = [...textOf('docs/environment.md').matchAll(/^\| `([A-Z_]+)` \| (?:`(.+?)`|unset) \| .+ \|$/gm)].map(
  ([, name = '', fallback]) => ({ name, fallback }),
);

test('every variable is described once, and nothing else is', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual([...VARIABLES].sort());
});

test.each(rows)('the page and the program agree on the default of $name: $fallback', ({ name, fallback }) => {
  if (fallback === undefined) expect(DEFAULTS).not.toHaveProperty(name);
  else expect(readEnv({ [name]: fallback })).toEqual(readEnv({}));
});

test('the first page lists every variable', () => {
  const listed = textOf('README.md');
  expect(VARIABLES.filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
});

const ELSEWHERE = ['TEST_DATABASE_URL', 'CHROMIUM_PATH'];
const PAGES = ['README.md', 'docs/operations.md', 'packaging/systemd/highstreet.env', 'compose.yaml', 'Dockerfile'];

test.each(PAGES)('%s names no variable that does not exist', (file) => {
  const named = [...textOf(file).matchAll(/(?<=[`\s#])[A-Z]{2,}(_[A-Z]+)+(?=[`=:])/g)].map(([name]) => name);
  expect(named).not.toEqual([]);
  expect(named.filter((name) => ![...VARIABLES, ...ELSEWHERE].includes(name) && !name.startsWith('POSTGRES_'))).toEqual(
    [],
  );
});
