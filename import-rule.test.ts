import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { at } from './scripts/setup/paths.mjs';

const REFUSED: Record<string, string[]> = {
  'contract/leads/lead.ts': ['react', 'node:fs', 'vitest', '#server/app.ts', '#web/kit/api.ts', '../../server/app.ts'],
  'contract/leads/lead.test.ts': ['node:fs'],
  'contract/call.ts': ['../web/kit/api.ts'],
  'server/main.ts': ['#web/routes.tsx', '#server/testing/test-app.ts', './testing/test-app.ts'],
  'server/leads/leads.routes.ts': [
    '#web/leads/leads.data.ts',
    '../../web/leads/leads.data.ts',
    '../users/users.sql.ts',
  ],
  'server/leads/leads.sql.ts': ['#server/app.ts', '#server/users/users.routes.ts', '#server/testing/test-app.ts'],
  'server/leads/list/lead-list.routes.ts': ['../leads.sql.ts', '#server/users/users.routes.ts', '#server/app.ts'],
  'server/places/places.ts': ['#server/leads/list/lead-list.routes.ts', '#server/testing/places.ts'],
  'server/places/providers/google.ts': ['../places.ts', '#web/search/search.data.ts'],
  'server/testing/test-app.ts': ['#web/testing/show.tsx', '../app.ts'],
  'server/kit/http/serve.ts': ['#server/app.ts', '#server/users/users.sql.ts', '../../users/users.sql.ts'],
  'server/kit/db/open.ts': ['#server/places/places.ts', '#server/leads/leads.sql.ts', '#server/testing/databases.ts'],
  'server/kit/db/open.api.test.ts': ['#server/leads/leads.sql.ts'],
  'web/routes.tsx': ['#server/app.ts', '#web/testing/show.tsx', './testing/show.tsx'],
  'web/leads/profile/LeadScreen.tsx': [
    '#server/app.ts',
    '../../../server/app.ts',
    '#web/routes.tsx',
    '#web/testing/show.tsx',
    '#web/leads/list/LeadTable.tsx',
    '#web/search/SearchScreen.tsx',
  ],
  'web/leads/list/LeadTable.tsx': ['#web/leads/profile/LeadScreen.tsx', '../profile/LeadScreen.tsx'],
  'web/leads/list/LeadTable.test.tsx': ['#web/leads/profile/LeadScreen.tsx', '#web/users/UserTable.tsx'],
  'web/leads/leads.data.ts': ['#web/users/UserTable.tsx', '../users/UserTable.tsx', './list/LeadTable.tsx'],
  'web/kit/ui/Button.tsx': ['#web/leads/leads.data.ts', '#web/routes.tsx', '#server/kit/env.ts'],
  'web/kit/api.test.ts': ['#web/leads/leads.data.ts'],
  'web/testing/show.tsx': ['#server/testing/test-app.ts', '../routes.tsx'],
  'e2e/sign-in.spec.ts': ['#server/testing/test-app.ts', '#web/testing/show.tsx', '../server/testing/test-app.ts'],
  'scripts/demo.ts': ['#web/kit/api.ts'],
};

const FORMS = {
  value: (from: string) => `import { thing } from '${from}';\n\nexport const used = thing;\n`,
  type: (from: string) => `import type { Thing } from '${from}';\n\nexport type Used = Thing;\n`,
  lazy: (from: string) => `export const used = () => import('${from}');\n`,
};
const BARREL = { path: 'server/leads/index.ts', text: "export { leadRoutes } from './leads.routes.ts';\n" };

const cases = Object.entries(REFUSED).flatMap(([file, imports]) =>
  imports.flatMap((from, nth) =>
    Object.entries(FORMS).map(([form, toText]) => {
      // A file of its own in the same folder and with the same ending, so that the same rules apply.
      const path = file.replace(/([^/.]+)(\.[^/]*)$/, `$1-${form}-${nth}$2`);
      return { file, from, form, path, text: toText(from) };
    }),
  ),
);
// One run of the linter for all: starting it is what takes time. What is allowed, the code itself shows.
const diagnostics = lint([...cases, BARREL]);

test.each(cases)('$file may not import $from ($form)', ({ path }) => {
  expect(diagnostics.get(path)).toEqual(['lint/style/noRestrictedImports']);
});

test('a barrel file is refused', () => {
  expect(diagnostics.get(BARREL.path)).toContain('lint/performance/noBarrelFile');
});

function lint(files: { path: string; text: string }[]): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'import-rule-'));
  try {
    copyFileSync(at('biome.json'), join(folder, 'biome.json'));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const args = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
    const { stdout } = spawnSync(at('node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' });
    const found = new Map<string, string[]>();
    for (const { category, location } of JSON.parse(stdout).diagnostics) {
      found.set(location.path, [...(found.get(location.path) ?? []), category]);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
