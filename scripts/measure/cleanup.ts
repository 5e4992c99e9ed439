import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Registers what has to be released at the end. */
export type Defer = (release: () => unknown) => void;

/** Runs the work, then releases everything it has deferred, the last first, also after an error. */
export async function withCleanup<T>(work: (defer: Defer) => Promise<T>): Promise<T> {
  const releases: (() => unknown)[] = [];
  try {
    return await work((release) => releases.push(release));
  } finally {
    for (const release of releases.reverse()) {
      try {
        await release();
      } catch (error) {
        console.error('clean-up failed:', error);
      }
    }
  }
}

export function temporaryFolder(defer: Defer): string {
  const folder = mkdtempSync(join(tmpdir(), 'highstreet-'));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
