import { rm } from 'node:fs/promises';
import { buildServer } from './build/build-server.ts';
import { buildWeb } from './build/build-web.ts';
import { swapIn } from './build/swap-in.ts';
import { isBuildCurrent, sourceHash } from './setup/build-if-changed.mjs';
import { withLock } from './setup/lock.mjs';
import { at } from './setup/paths.mjs';

await withLock(at('.setup.lock'), async () => {
  // Another process may have built the same files while this one waited for the lock.
  if (process.argv.includes('--if-changed') && isBuildCurrent()) return;
  console.log('Building…');
  const stamp = sourceHash();
  // Beside dist, which it replaces at the end: a build that fails leaves the old one as it was.
  const folder = at('dist.building');
  await rm(folder, { recursive: true, force: true });
  await Promise.all([buildWeb(`${folder}/web`), buildServer(`${folder}/server`)]);
  await swapIn(folder, at('dist'), stamp);
});
