import { makeUpgradeBackup } from '#server/backup/upgrade-backup.ts';
import { upgradeSchema } from '#server/backup/upgrade-schema.ts';
import type { Clock } from './kit/clock.ts';
import type { Env } from './kit/env.ts';
import type { Logger } from './kit/log.ts';
import { selfCheck } from './self-check.ts';

interface Options {
  env: Env;
  databaseUrl: string;
  migrationsDir: string;
  clock: Clock;
  log: Logger;
  /** Called after each step, with a sentence. */
  report: (done: string) => void;
}

/** What `npm run upgrade` does with the database. Its backup does not depend on BACKUP_AT. Returns the number of migrations. */
export function upgrade({ env, databaseUrl, migrationsDir, clock, log, report }: Options): Promise<number> {
  return upgradeSchema({
    ...{ databaseUrl, migrationsDir, log, report },
    builtInFolder: env.databaseUrl ? undefined : env.dataDir,
    backUp: () => makeUpgradeBackup(env, log, databaseUrl),
    selfCheck: (database) => selfCheck({ database, env, clock, log }),
  });
}
