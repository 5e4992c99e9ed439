// npm run check:updates: what has a newer version, and how old the versions are.
import { execFile } from 'node:child_process';
import { ROOT } from './setup/paths.mjs';
import { listEngines } from './updates/engines.ts';
import { findUpdates, type Npm, RegistryUnreachable, type Update } from './updates/find-updates.ts';

/** Without long pauses where no registry can be reached. npm exits with 1 when something is outdated. */
const npm: Npm = (args) =>
  new Promise((resolve) => {
    const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 };
    execFile('npm', [...args, '--fetch-retries=0', '--fetch-timeout=15000'], options, (_error, stdout) =>
      resolve(stdout),
    );
  });

try {
  printTable(await findUpdates(npm, listEngines(), new Date()));
} catch (error) {
  if (!(error instanceof RegistryUnreachable)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function printTable(updates: Update[]) {
  if (!updates.length) return console.log('Every dependency and engine is the newest.');
  const age = (days: number | undefined) => (days === undefined ? '' : ` (${days} days)`);
  const rows = updates.map(({ name, here, newest, hereDays, newestDays }) => [
    ...[name, `${here}${age(hereDays)}`, `${newest}${age(newestDays)}`],
  ]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  for (const [name = '', here = '', newest = ''] of [['', 'here (age)', 'newest (age)'], ...rows]) {
    console.log(`${name.padEnd(width(0))}  ${here.padEnd(Math.max(width(1), 10))}  ${newest}`);
  }
}
