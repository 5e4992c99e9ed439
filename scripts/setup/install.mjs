import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { at } from './paths.mjs';
import { putBack, replaceFolder } from './replace-folder.mjs';
import { run } from './run.mjs';

const PACKAGES = at('node_modules');
const FORMER_PACKAGES = at('.node_modules.former');
const STAMP = at('node_modules/.highstreet-installed');
/** npm's own record of what it has installed. */
const NPM_RECORD = at('node_modules/.package-lock.json');

/** Installs the packages of the lock file, unless they are installed. */
export async function ensureInstalled() {
  const wanted = fingerprint();
  if (read(STAMP) === wanted) return;
  await withLock(at('.setup.lock'), async () => {
    putBack(PACKAGES, FORMER_PACKAGES);
    if (read(STAMP) === wanted) return;
    // Not again after `npm ci`: that would empty node_modules while a server runs from it.
    if (!installedByNpm()) {
      console.log('Installing packages…');
      // The build needs the development packages, whatever NODE_ENV says.
      const install = () => run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
      // `npm ci` deletes the packages first. Without a network, there would be none.
      await replaceFolder(PACKAGES, FORMER_PACKAGES, install);
    }
    writeFileSync(STAMP, wanted);
  });
}

function fingerprint() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read(at('package.json')));
  const system = [process.versions.node.split('.')[0], process.platform, process.arch];
  const parts = [system, dependencies, devDependencies, optionalDependencies, overrides];
  return createHash('sha256')
    .update(JSON.stringify(parts))
    .update(read(at('package-lock.json')))
    .digest('hex');
}

/** @typedef {{ version: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry */

function installedByNpm() {
  if (!existsSync(NPM_RECORD)) return false;
  const installed = readPackages(NPM_RECORD);
  return Object.entries(readPackages(at('package-lock.json')))
    .filter(([path, entry]) => path !== '' && isNeeded(entry))
    .every(([path, { version }]) => installed[path]?.version === version && existsSync(at(path, 'package.json')));
}

/** @param {string} file @returns {Record<string, Entry>} */
const readPackages = (file) => JSON.parse(read(file)).packages ?? {};

/** Of optional packages, those for this system. Which C library they need is for npm to decide. @param {Entry} entry */
const isNeeded = ({ optional, os, cpu, libc }) =>
  !optional || (!libc && os?.includes(process.platform) && cpu?.includes(process.arch));

/** @param {string} file */
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
