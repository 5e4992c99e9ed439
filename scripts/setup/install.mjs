import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { at } from './paths.mjs';
import { run } from './run.mjs';

const STAMP = at('node_modules/.highstreet-installed');
const WHAT_NPM_INSTALLED = at('node_modules/.package-lock.json');

/** Installs what the lock file names, unless it is there already. */
export async function ensureInstalled() {
  const wanted = fingerprint();
  if (read(STAMP) === wanted) return;
  await withLock(at('.setup.lock'), async () => {
    if (read(STAMP) === wanted) return;
    if (!builtElsewhere(read(STAMP)) && npmHasInstalled()) return writeFileSync(STAMP, wanted);
    console.log('Installing packages…');
    // The build needs the development packages, whatever NODE_ENV says.
    await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(STAMP, wanted);
  });
}

function machine() {
  return `node ${process.versions.node.split('.')[0]} on ${process.platform}-${process.arch}`;
}

function fingerprint() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    read(at('package.json')) ?? '{}',
  );
  const named = JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]);
  const hash = createHash('sha256').update(read(at('package-lock.json')) ?? '');
  return `${machine()}\n${hash.update(named).digest('hex')}\n`;
}

/** @param {string | undefined} stamp */
const builtElsewhere = (stamp) => stamp !== undefined && !stamp.startsWith(`${machine()}\n`);

/**
 * Somebody who works on the product installs with npm itself; that is no reason to do it all again, and less so to
 * empty node_modules under a server that runs from it.
 */
function npmHasInstalled() {
  if (!existsSync(WHAT_NPM_INSTALLED)) return false;
  const installed = packagesOf(WHAT_NPM_INSTALLED);
  return Object.entries(packagesOf(at('package-lock.json')))
    .filter(([path, entry]) => path !== '' && fitsHere(entry))
    .every(([path, entry]) => installed[path]?.version === entry.version && existsSync(at(path, 'package.json')));
}

/** @typedef {{ version: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry */

/** @param {string} file @returns {Record<string, Entry>} */
const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {};

/** @param {Entry} entry */
function fitsHere({ optional = false, os, cpu, libc }) {
  if (!optional) return true;
  const fits = (/** @type {string[] | undefined} */ list, /** @type {string} */ value) => !list || list.includes(value);
  // An optional package without a system of its own (a fallback, say) may be left out by npm for reasons of its own.
  if (!os && !cpu) return false;
  return (
    fits(os, process.platform) && fits(cpu, process.arch) && (process.platform !== 'linux' || fits(libc, libcHere()))
  );
}

function libcHere() {
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
