import { readFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { at } from './scripts/setup/paths.mjs';

const server = 'http://127.0.0.1:3000';
/** The oldest supported browsers. */
const { browserslist } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { browserslist: string[] };

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: [
      {
        find: /^\.{1,2}\/(core\/)?to-json-schema\.js$/,
        replacement: at('web/no-json-schema.ts'),
      },
    ],
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // Newer syntax and CSS are converted for them. e2e/browsers.spec.ts checks the result.
    target: browserslist.map((browser) => browser.replace(' ', '')),
    // The content security policy allows fonts from the server itself only, not from data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first screen needs stays one file. Left alone, it is split wherever a later screen shares a part of it,
    // and every split costs the first screen a request and compresses worse.
    // The icons of later screens are one file, and so is what many screens share: the first screen has a list of all files.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'icons', test: /node_modules\/lucide-react\// },
            { name: 'shared', test: /\/(web|contract)\/|@radix-ui/, minShareCount: 5 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/mcp': server, '/healthz': server, '/readyz': server } },
});
