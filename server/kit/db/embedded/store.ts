import { constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createStore } from './start-worker.ts';

const SYNCS_AT_ONCE = 16;
const VERSION_FILE = 'template-version';

export const storeDirIn = (dataDir: string) => join(dataDir, 'database');

/** A template serves only the engine that made it: the files of a store are not the same from version to version. */
export async function engineVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

export const templateVersionFile = (templateDir: string) => join(templateDir, VERSION_FILE);

/**
 * Makes the store unless it is there. It is built under another name and given its own only when every byte is on the
 * disk, so that a crash leaves either no store or a whole one.
 */
export async function ensureStore(storeDir: string, templateDir: string | undefined): Promise<'found' | 'made'> {
  if (await exists(storeDir)) return 'found';
  const unfinished = `${storeDir}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(storeDir), { recursive: true, mode: 0o700 });
  if (templateDir && (await fits(templateDir))) {
    copyTree(storeDirIn(templateDir), unfinished);
  } else {
    await createStore(unfinished);
  }
  await chmod(unfinished, 0o700);
  await syncTree(unfinished);
  await rename(unfinished, storeDir);
  await syncFile(dirname(storeDir));
  return 'made';
}

async function fits(templateDir: string) {
  try {
    return (await readFile(templateVersionFile(templateDir), 'utf8')).trim() === (await engineVersion());
  } catch {
    return false; // no template: the slow way always works
  }
}

/** Without a pause: a thousand small files are three times as fast as with `cp`, and nobody is being served yet. */
function copyTree(from: string, to: string) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

async function syncTree(folder: string) {
  const paths = [folder];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    paths.push(join(entry.parentPath, entry.name));
  }
  const syncNext = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncFile(path);
  };
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, syncNext));
}

async function syncFile(path: string) {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } catch (error) {
    // Windows does not sync folders.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  } finally {
    await file.close();
  }
}

async function exists(path: string) {
  return readdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
