import { existsSync } from 'node:fs';
import { at } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';

/** Node itself, as npm packages it for this system. */
export const NODE_24 = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@24`;

/** The program of Node 24: this one, or that of the npm package, which is fetched once. Undefined without network. */
export async function findNode24(): Promise<string | undefined> {
  if (process.versions.node.startsWith('24.')) return process.execPath;
  const folder = at('node_modules/.cache/node-24');
  const program = `${folder}/node_modules/${NODE_24.split('@')[0]}/bin/node`;
  if (!existsSync(program)) {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    // Node 20 is no engine of this package.
    await run('npm', ['install', `--prefix=${folder}`, '--engine-strict=false', ...quiet, NODE_24]).catch(() => {});
  }
  return existsSync(program) ? program : undefined;
}
