// npm run upgrade [-- VERSION]: upgrades the database to the code that is here, or to the code of a version's tag.
// Each part is a process of its own, because packages, build and this very file may be those of the former version.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { checkOut } from './setup/check-out.mjs';
import { requireNode } from './setup/node-version.mjs';
import { at, ROOT } from './setup/paths.mjs';
import { CHECK, REFUSED } from './setup/upgrade-check.mjs';

const BUILT = at('dist/server/upgrade.js');
const [version, ...rest] = process.argv.slice(2);

requireNode();
process.exitCode = await upgrade().catch((/** @type {Error} */ error) => {
  console.error(`Nothing was upgraded: ${error.message}`);
  return 1;
});

async function upgrade() {
  if (rest.length || version?.startsWith('-')) throw new Error('Usage: npm run upgrade [-- VERSION]');
  if (existsSync(BUILT) && (await runNode(BUILT, 'upgrade', CHECK)) === REFUSED) return 1;
  const goBack = version ? checkOut(ROOT, version) : undefined;
  const code = await runNode(at('scripts/start.mjs'), 'upgrade');
  if (code && goBack) {
    goBack();
    console.error('The former code is checked out again.');
  }
  return code;
}

/** @param {string[]} args @returns {Promise<number>} */
function runNode(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    // A terminal sends Ctrl-C to the child as well. This process waits for it, to check out the former code.
    const forward = () => void child.kill('SIGTERM');
    process.on('SIGINT', () => {}).on('SIGTERM', forward);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGTERM', forward);
      resolve(code ?? 1);
    });
  });
}
