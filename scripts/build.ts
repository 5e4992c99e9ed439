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
  // Beside dist, whose place it takes at the end: a build that breaks leaves the old one as it was.
  const building = at('dist.building');
  await rm(building, { recursive: true, force: true });
  await Promise.all([buildWeb(`${building}/web`), buildServer(`${building}/server`)]);
  await swapIn(building, at('dist'), stamp);
});
