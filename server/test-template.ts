import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareTemplate } from './kit/db/embedded/template.ts';
import { MIGRATIONS, ROOT } from './paths.ts';

/** Where the prepared store for tests is kept: another one for each state of the migrations and of the engine. */
export const TEST_TEMPLATE = join(ROOT, 'node_modules/.cache/highstreet', `template-${fingerprint()}`);

function fingerprint() {
  const hash = createHash('sha256');
  const engine = join(ROOT, 'node_modules/@electric-sql/pglite/package.json');
  const migrations = readdirSync(MIGRATIONS).sort();
  for (const file of [engine, ...migrations.map((name) => join(MIGRATIONS, name))]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Runs once before the tests on the embedded database: making a store takes seconds, copying one does not. */
export default async function setup() {
  if (!existsSync(TEST_TEMPLATE)) await prepareTemplate(TEST_TEMPLATE, MIGRATIONS);
}
