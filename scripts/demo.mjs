// The product with an invented team in it, in a data folder of its own.
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
  console.error(`The demo could not be set up: ${/** @type {Error} */ (error).message}`);
  process.exit(1);
}

// Over whatever an .env file says: a demo has no business in the team's own database.
process.env.DATABASE_URL = '';
process.env.DATA_DIR ||= './data-demo';
process.env.LOG_LEVEL ||= 'warn';
process.setSourceMapsEnabled(true);
await import(new URL('../dist/server/demo.js', import.meta.url).href);
