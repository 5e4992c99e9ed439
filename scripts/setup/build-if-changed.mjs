import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { at } from './paths.mjs';
import { run } from './run.mjs';

const STAMP = at('dist/.stamp');
const SOURCES = ['contract', 'server', 'web', 'scripts', 'vite.config.ts', 'package.json', 'package-lock.json'];
const NOT_BUILT = /\.test\.tsx?$|(^|\/)\.[^/]*$|^scripts\/(setup|testing|bench|prove|measure)$|^scripts\/.*\.mjs$/;

/** Builds the product, unless dist was built from the current files. */
export async function ensureBuilt() {
  if (isBuildCurrent()) return;
  await run(process.execPath, ['--import', 'tsx', at('scripts/build.ts'), '--if-changed']);
}

export const isBuildCurrent = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash();

/** One hash over the names and contents of everything that the build reads. */
export function sourceHash() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '');
  for (const file of SOURCES.flatMap(filesUnder)) hash.update(`\0${file}\0`).update(readFileSync(at(file)));
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function filesUnder(path) {
  if (NOT_BUILT.test(path) || !existsSync(at(path))) return [];
  if (statSync(at(path)).isFile()) return [path];
  return readdirSync(at(path))
    .sort()
    .flatMap((name) => filesUnder(`${path}/${name}`));
}
