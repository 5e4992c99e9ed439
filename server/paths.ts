import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// In source this file is server/paths.ts; built, it is part of dist/server/main.js.
const built = !import.meta.url.endsWith('.ts');
const here = fileURLToPath(new URL('.', import.meta.url));

/** The folder of package.json. */
export const ROOT = join(here, built ? '../..' : '..');
export const MIGRATIONS = join(here, built ? 'migrations' : 'kit/db/migrations');
export const WEB_ROOT = built ? join(ROOT, 'dist/web') : undefined;
