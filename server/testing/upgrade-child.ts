import { clock } from '#server/kit/clock.ts';
import { openServerAlone } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { upgrade } from '#server/upgrade.ts';

// The upgrade to a release with other migrations, in a process that can be killed. Reports in lines on standard output.

const [, , dataDir = '', migrationsDir = ''] = process.argv;
const log = createLog('error');
const env = readEnv({ DATA_DIR: dataDir });

process.stdout.write('begun\n');
const { databaseUrl, close } = await openServerAlone(env, log);
const report = (done: string) => process.stdout.write(`${done}\n`);
const applied = await upgrade({ env, databaseUrl, migrationsDir, clock, log, report });
await close();
process.stdout.write(`applied ${applied}\n`);
process.exit(0);
