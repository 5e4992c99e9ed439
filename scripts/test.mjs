// Runs on a fresh clone. Before packages are installed, only Node's own modules can be imported.
import { ensureInstalled } from './setup/install.mjs';
import { requireNode } from './setup/node-version.mjs';

requireNode();
try {
  await ensureInstalled();
  const { register } = await import('tsx/esm/api');
  register();
  const { runTests } = await import('./testing/run.ts');
  process.exitCode = await runTests(process.argv.slice(2));
} catch (error) {
  console.error(`The tests could not be run: ${/** @type {Error} */ (error).message}`);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
