import { ensureBuilt } from './build-if-changed.mjs';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';

/** Installs and builds what is missing or has changed. */
export async function makeReady() {
  requireNode();
  stopWithNpm();
  process.setSourceMapsEnabled(true);
  try {
    await ensureInstalled();
    await ensureBuilt();
  } catch (error) {
    console.error(`Highstreet could not be set up: ${/** @type {Error} */ (error).message}`);
    process.exit(1);
  }
}

/**
 * Runs a built program in this process: signals and the exit code need no forwarding, and no child can be left behind.
 * @param {string} name
 */
export const runBuilt = (name) => import(new URL(`../../dist/server/${name}.js`, import.meta.url).href);
