import { join } from 'node:path';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { upgradeSchema } from '#server/backup/upgrade-schema.ts';
import { clock } from '#server/kit/clock.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { openServerAlone } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { selfCheck } from '#server/self-check.ts';

// The upgrade to a release with other migrations, in a process that can be killed. Reports in lines on standard output.

const [, , dataDir = '', migrationsDir = ''] = process.argv;
const log = createLog('error');
const env = readEnv({ DATA_DIR: dataDir });

process.stdout.write('begun\n');
const { databaseUrl, close } = await openServerAlone(env, log);
const applied = await upgradeSchema({
  databaseUrl,
  migrationsDir,
  log,
  backUp: async () => {
    const database = await openDatabase({ databaseUrl, log });
    const file = join(dataDir, 'team.backup');
    await writeBackupFile((to) => sendBackup(database.pool, to), file).finally(database.close);
    return file;
  },
  selfCheck: (database) => selfCheck({ database, env, clock, log }),
  report: (done) => process.stdout.write(`${done}\n`),
});
await close();
process.stdout.write(`applied ${applied}\n`);
process.exit(0);
