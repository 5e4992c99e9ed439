// The whole way from a fresh clone to a running product. Until packages are installed there is nothing but Node here.
import { ensureBuilt } from './setup/build-if-changed.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { requireNode } from './setup/node-version.mjs';
import { stopWithNpm } from './setup/stop-with-npm.mjs';

requireNode();
stopWithNpm();
try {
  await ensureInstalled();
  await ensureBuilt();
} catch (error) {
  console.error(`Highstreet could not be set up: ${/** @type {Error} */ (error).message}`);
  process.exit(1);
}

process.setSourceMapsEnabled(true);
// In this very process: signals and the exit code need nobody to pass them on, and no child can be left behind.
await import(new URL('../dist/server/main.js', import.meta.url).href);
