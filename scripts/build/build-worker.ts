import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { WorkerBuild } from '#contract/service-worker.ts';
import { at } from '../setup/paths.mjs';

/** As of the web app: see vite.config.ts. */
const { browserslist } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { browserslist: string[] };
const OLDEST_BROWSERS = browserslist.map((browser) => browser.replace(' ', ''));

/** Code and styles. Of the fonts, only those that index.html names: the others are stored once a page has needed them. */
const STORED_ASSETS = /\.(js|css)$/;
/** Files without a hash in their name that the page asks for by itself. */
const STORED_FILES = ['theme.js', 'favicon.svg'];

/** Builds the service worker for a web app that is built, and the worker that removes it. */
export async function buildWorker(folder: string): Promise<void> {
  const define = { BUILD: JSON.stringify(await describeBuild(folder)) };
  await build({
    entryPoints: { sw: at('web/worker/service-worker.ts'), 'sw-off': at('web/worker/remove-worker.ts') },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: OLDEST_BROWSERS,
    define,
    logLevel: 'warning',
  });
}

export async function describeBuild(folder: string): Promise<WorkerBuild> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const entry = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1];
  if (!entry) throw new Error('index.html has no script');
  const assets = await readdir(join(folder, 'assets'));
  const stored = assets.filter((name) => STORED_ASSETS.test(name) || page.includes(`/assets/${name}`)).sort();
  const files = [...STORED_FILES.map((name) => `/${name}`), ...stored.map((name) => `/assets/${name}`)];
  const hash = createHash('sha256').update(page);
  for (const name of STORED_FILES) hash.update(await readFile(join(folder, name)));
  hash.update(files.join());
  return { version: hash.digest('hex').slice(0, 12), entry, files };
}
