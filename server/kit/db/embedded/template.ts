import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDatabase } from '#server/kit/db/open.ts';
import { engineVersion, storeDirIn, templateVersionFile } from './store.ts';

const silent = () => {};

/** At build time: an empty, migrated store. A data folder's first start copies it instead of making its own. */
export async function prepareTemplate(templateDir: string, migrationsDir: string): Promise<void> {
  await mkdir(dirname(templateDir), { recursive: true });
  const unfinished = await mkdtemp(`${templateDir}-`);
  try {
    const log = { info: silent, warn: silent, error: silent };
    const database = await openDatabase({ dataDir: unfinished, migrationsDir, log, sync: false, reserveBytes: 0 });
    await database.close();
    await rm(`${storeDirIn(unfinished)}.reserve`, { force: true });
    await writeFile(templateVersionFile(unfinished), await engineVersion());
    await rm(templateDir, { recursive: true, force: true });
    await rename(unfinished, templateDir);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
