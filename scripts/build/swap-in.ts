import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Puts a finished build in the place of the old one. The stamp goes with it, so the two can never disagree. */
export async function swapIn(finished: string, place: string, stamp: string): Promise<void> {
  const old = `${place}.old`;
  await writeFile(`${finished}/.stamp`, stamp);
  await rm(old, { recursive: true, force: true });
  if (existsSync(place)) await rename(place, old);
  await rename(finished, place);
  await rm(old, { recursive: true, force: true });
}
