import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Replaces the old build by the new one, together with its stamp. */
export async function swapIn(finished: string, place: string, stamp: string): Promise<void> {
  const old = `${place}.old`;
  await writeFile(`${finished}/.stamp`, stamp);
  await rm(old, { recursive: true, force: true });
  if (existsSync(place)) await rename(place, old);
  await rename(finished, place);
  await rm(old, { recursive: true, force: true });
}
