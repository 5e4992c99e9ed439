import { cp } from 'node:fs/promises';
import { build } from 'esbuild';
import { at } from '../setup/paths.mjs';

/** The scripts that are also built: they run as `node dist/server/NAME.js` where only the product is installed. */
const SCRIPTS = [
  ...[
    'demo',
    'backup',
    'restore',
    'account',
    'move-to-postgres',
    'upgrade',
    'upgrade-database',
    'link-postgres',
    'places-load',
  ],
];

export async function buildServer(folder: string): Promise<void> {
  await build({
    entryPoints: [at('server/main.ts'), ...SCRIPTS.map((name) => at('scripts', `${name}.ts`))],
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  });
  await cp(at('server/kit/db/migrations'), `${folder}/migrations`, { recursive: true });
}
