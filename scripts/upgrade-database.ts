import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { moveDatabase } from '#server/backup/restore/move-database.ts';
import { clusterFolder, UPGRADE_FOLDER } from '#server/kit/db/built-in/built-in.ts';
import { clusterVersion } from '#server/kit/db/built-in/cluster.ts';
import { findFormerPrograms } from '#server/kit/db/built-in/former-programs.ts';
import { passwordFile } from '#server/kit/db/built-in/password.ts';
import { findPrograms } from '#server/kit/db/built-in/programs.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { migratingOptions, readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

await runAndExit('The database was not upgraded', async () => {
  const env = readDirectEnv();
  const options = migratingOptions(env);
  if (env.databaseUrl) throw new Error('DATABASE_URL is set: this command is for the built-in database only');
  const cluster = clusterFolder(env.dataDir);
  const upgrading = join(env.dataDir, UPGRADE_FOLDER);
  const upgraded = clusterFolder(upgrading);
  const { major } = await findPrograms(env.postgresBin);

  // Without a cluster, an earlier run was killed between the two renames and has done everything else.
  if (existsSync(cluster)) {
    const version = clusterVersion(cluster);
    if (version === undefined) throw new Error(`${cluster} is not a PostgreSQL data folder`);
    if (version === major)
      return console.log(`${cluster} has the version that this release runs, PostgreSQL ${major}.`);
    await copyInto(upgrading, version);
    renameSync(cluster, `${cluster}-${version}`);
    console.log(`The former folder is ${cluster}-${version}. Delete it after checking that nothing is missing.`);
  } else if (!existsSync(upgraded)) throw new Error(`there is no database in ${env.dataDir}`);
  // Before the cluster: an interrupted run continues here, with one that has this password.
  if (existsSync(passwordFile(upgrading))) renameSync(passwordFile(upgrading), passwordFile(env.dataDir));
  renameSync(upgraded, cluster);
  rmSync(upgrading, { recursive: true });
  console.log(`${cluster} is a database of PostgreSQL ${major} now. Everyone has to sign in again.`);

  async function copyInto(dataDir: string, version: number) {
    rmSync(dataDir, { recursive: true, force: true });
    const [named] = process.argv.slice(3);
    const postgresBin = named
      ? resolve(process.env.INIT_CWD ?? '.', named)
      : await findFormerPrograms(version, join(dataDir, 'programs'));
    const folder = join(env.dataDir, 'moving');
    const { counts } = await withDatabase(await openConfigured({ ...env, postgresBin }, options), async (from) =>
      withDatabase(await openConfigured({ ...env, dataDir }, options), (to) => moveDatabase({ from, to, folder })),
    );
    console.log(`Copied ${counts.users} users and ${counts.user_businesses} leads; every table has the same rows.`);
  }
});
