import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { at } from './setup/paths.mjs';

const REFUSED: [file: string, imported: string][] = [
  ['contract/leads/lead.ts', 'react'],
  ['contract/leads/lead.ts', 'node:fs'],
  ['contract/leads/lead.ts', '#server/leads/leads.sql.ts'],
  ['contract/leads/lead.ts', '#web/kit/api.ts'],
  ['contract/leads/lead.ts', '../../server/app.ts'],
  ['contract/call.ts', '../web/kit/api.ts'],
  ['contract/leads/lead.ts', 'vitest'],
  ['contract/leads/lead.test.ts', 'node:fs'],
  ['server/main.ts', '#web/routes.tsx'],
  ['server/leads/leads.routes.ts', '#web/leads/leads.data.ts'],
  ['server/leads/leads.routes.ts', '../../web/leads/leads.data.ts'],
  ['server/leads/leads.routes.ts', '#server/users/users.routes.ts'],
  ['server/leads/leads.routes.ts', '../users/users.sql.ts'],
  ['server/leads/leads.sql.ts', '#server/app.ts'],
  ['server/kit/http/serve.ts', '#server/users/users.sql.ts'],
  ['server/kit/http/serve.ts', '#server/app.ts'],
  ['server/kit/http/serve.ts', '../../users/users.sql.ts'],
  ['web/routes.tsx', '#server/app.ts'],
  ['web/leads/profile/LeadScreen.tsx', '#server/leads/leads.sql.ts'],
  ['web/leads/profile/LeadScreen.tsx', '../../../server/leads/leads.sql.ts'],
  ['web/leads/profile/LeadScreen.tsx', '#web/users/UserTable.tsx'],
  ['web/leads/profile/LeadScreen.tsx', '../users/UserTable.tsx'],
  ['web/leads/profile/LeadScreen.tsx', '#web/routes.tsx'],
  ['web/kit/ui/Button.tsx', '#web/leads/leads.data.ts'],
  ['web/kit/ui/Button.tsx', '#web/routes.tsx'],
  ['web/kit/ui/Button.tsx', '#server/kit/env.ts'],
  ['e2e/sign-in.spec.ts', '#server/testing/test-app.ts'],
  ['e2e/sign-in.spec.ts', '#web/testing/fake-server.ts'],
  ['e2e/sign-in.spec.ts', '../server/testing/test-app.ts'],
  ['scripts/demo.ts', '#web/kit/api.ts'],
];

const ALLOWED: [file: string, imported: string][] = [
  ['contract/leads/lead.ts', 'zod'],
  ['contract/leads/lead.ts', '../call.ts'],
  ['contract/leads/lead.ts', '#contract/users/user.ts'],
  ['contract/leads/lead.test.ts', 'vitest'],
  ['server/app.ts', './leads/leads.routes.ts'],
  ['server/version.ts', '../package.json'],
  ['server/leads/leads.routes.ts', '#contract/leads/lead.ts'],
  ['server/leads/leads.routes.ts', '#server/users/users.sql.ts'],
  ['server/leads/leads.routes.ts', '#server/kit/http/serve.ts'],
  ['server/leads/leads.routes.ts', './leads.sql.ts'],
  ['server/leads/leads.routes.ts', 'drizzle-orm'],
  ['server/leads/leads.routes.test.ts', '#server/testing/test-app.ts'],
  ['server/kit/http/serve.ts', '#server/kit/env.ts'],
  ['server/kit/db/db.sql.test.ts', '#server/testing/test-app.ts'],
  ['web/routes.tsx', './leads/LeadScreen.tsx'],
  ['web/leads/profile/LeadScreen.tsx', '#web/users/users.data.ts'],
  ['web/leads/profile/LeadScreen.tsx', '#web/kit/ui/Button.tsx'],
  ['web/leads/profile/LeadScreen.tsx', './LeadCard.tsx'],
  ['web/leads/profile/LeadScreen.test.tsx', '#web/testing/fake-server.ts'],
  ['web/kit/ui/Button.tsx', '#web/kit/format.ts'],
  ['e2e/sign-in.spec.ts', '#contract/users/user.ts'],
  ['e2e/sign-in.spec.ts', './product.ts'],
  ['scripts/demo.ts', '#server/kit/db/schema.ts'],
  ['scripts/build/build-web.ts', '../setup/paths.mjs'],
];

// One file per form of import, in one run of the linter: starting it is what takes time.
const FORMS = {
  value: (from: string) => `import { thing } from '${from}';\n\nexport const used = thing;\n`,
  type: (from: string) => `import type { Thing } from '${from}';\n\nexport type Used = Thing;\n`,
  lazy: (from: string) => `export const used = () => import('${from}');\n`,
};
const forms = Object.keys(FORMS) as (keyof typeof FORMS)[];
const complaints = lint([
  ...[...REFUSED, ...ALLOWED].flatMap(([file, from], nth) =>
    forms.map((form) => ({ path: placed(file, form, nth), text: FORMS[form](from) })),
  ),
  { path: 'server/leads/index.ts', text: "export { leadRoutes } from './leads.routes.ts';\n" },
]);

test.each(REFUSED.map(([file, from], nth) => ({ file, from, nth })))('$file may not import $from', ({ file, nth }) => {
  for (const form of forms) expect(complaints.get(placed(file, form, nth))).toEqual(['lint/style/noRestrictedImports']);
});

test.each(ALLOWED.map(([file, from], nth) => ({ file, from, nth: nth + REFUSED.length })))(
  '$file may import $from',
  ({ file, nth }) => {
    for (const form of forms) expect(complaints.get(placed(file, form, nth))).toBeUndefined();
  },
);

test('a file that only passes others on is refused', () => {
  expect(complaints.get('server/leads/index.ts')).toContain('lint/performance/noBarrelFile');
});

/** The same folder and ending, so that the same rules apply, but a file of its own. */
function placed(file: string, form: string, nth: number) {
  return file.replace(/([^/.]+)(\.[^/]*)$/, `$1-${form}-${nth}$2`);
}

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
