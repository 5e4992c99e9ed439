import { ensureBuilt } from './build-if-changed.mjs';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';

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

/** After kill -9 of npm, which forwards no signal, the product would keep its port and its data folder. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
