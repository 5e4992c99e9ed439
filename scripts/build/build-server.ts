import { cp } from 'node:fs/promises';
import { build } from 'esbuild';
import { at } from '../setup/paths.mjs';

/** Every program that is started with `node dist/server/NAME.js`. */
const PROGRAMS: Record<string, string> = {
  main: 'server/main.ts',
  demo: 'scripts/demo.ts',
  backup: 'scripts/backup.ts',
  restore: 'scripts/restore.ts',
  'move-to-postgres': 'scripts/move-to-postgres.ts',
  'upgrade-database': 'scripts/upgrade-database.ts',
  'link-postgres': 'scripts/link-postgres.ts',
  'places-load': 'scripts/places-load.ts',
};

export async function buildServer(folder: string): Promise<void> {
  await build({
    entryPoints: Object.entries(PROGRAMS).map(([out, source]) => ({ in: at(source), out })),
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
