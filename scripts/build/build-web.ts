import { build } from 'vite';
import { at } from '../setup/paths.mjs';
import { precompress } from './precompress.ts';

export async function buildWeb(folder: string): Promise<void> {
  await build({
    configFile: at('vite.config.ts'),
    mode: 'production',
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
  await precompress(folder);
}
