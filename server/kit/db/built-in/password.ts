import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Cluster, SUPERUSER } from './cluster.ts';
import { runProgram } from './processes.ts';
import { programIn } from './programs.ts';

/** The role and the database of the product; the superuser is for creating them alone. */
export const PRODUCT = 'highstreet';

const ACCESS_RULES = '# Rewritten at every start of Highstreet.\nlocal all all scram-sha-256\n';

export const passwordFile = (dataDir: string) => join(dataDir, 'postgres-password');

/** Of both roles; undefined before the first start of a version that asks for one. */
export function readPassword(dataDir: string): string | undefined {
  return existsSync(passwordFile(dataDir)) ? readFileSync(passwordFile(dataDir), 'utf8').trim() : undefined;
}

/** Every connection needs the password of the data folder. Called while no server runs on the cluster. */
export async function ensurePassword(cluster: Cluster, dataDir: string): Promise<string> {
  requirePasswords(cluster);
  const stored = readPassword(dataDir);
  if (stored) return stored;
  const password = randomBytes(24).toString('hex');
  await setPassword(cluster, password);
  storePassword(dataDir, password); // last: without the file, an interrupted start is repeated
  return password;
}

/** Also those of the account that the server runs as. */
function requirePasswords({ folder, launcher }: Cluster) {
  const file = join(folder, 'pg_hba.conf');
  if (existsSync(file) && readFileSync(file, 'utf8') === ACCESS_RULES) return;
  writeFileSync(file, ACCESS_RULES, { mode: 0o600 });
  if (launcher.owner) chownSync(file, launcher.owner.uid, launcher.owner.gid);
}

/** By standard input, which other processes cannot read. */
async function setPassword({ folder, programs, launcher }: Cluster, password: string) {
  const change = (role: string) =>
    `if exists (select from pg_roles where rolname = '${role}') then alter role ${role} password '${password}'; end if;`;
  const args = ['--single', '-D', folder, '-c', 'exit_on_error=on', 'postgres'];
  const statement = `do $$ begin ${change(SUPERUSER)} ${change(PRODUCT)} end $$;\n`;
  await runProgram(launcher, programIn(programs, 'postgres'), args, statement);
}

/** Whole or not at all, also after a power cut. For the account of the data folder: root may run a command for it. */
function storePassword(dataDir: string, password: string) {
  const unfinished = `${passwordFile(dataDir)}.new`;
  const file = openSync(unfinished, 'w', 0o600);
  writeFileSync(file, password);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dataDir);
    fchownSync(file, uid, gid);
  }
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, passwordFile(dataDir));
}
