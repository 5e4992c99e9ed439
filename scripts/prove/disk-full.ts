import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { temporaryFolder, withCleanup } from '../measure/cleanup.ts';
import { openPool } from '../measure/database.ts';
import { startProduct } from '../measure/product.ts';
import { createUsers } from '../measure/users.ts';
import type { Proof } from './proof.ts';
import { countFailures, startWorkload } from './workload.ts';

const USERS = 8;

export const diskFull: Proof = {
  description:
    'The disk of the built-in database is full under load (as root, to mount a small disk). disk-full [seconds=10]',
  run: ([seconds = '10'], checks) =>
    withCleanup(async (defer) => {
      const disk = temporaryFolder(defer);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=800m,mode=755', 'highstreet-prove', disk]);
      defer(() => execFileSync('umount', ['--lazy', disk]));
      const product = await startProduct(defer, { dataDir: join(disk, 'data') });
      const pool = openPool(defer, product.databaseUrl);
      const workload = await startWorkload(defer, product.url, pool, await createUsers(pool, USERS));
      await wait(2_000);
      const filler = join(disk, 'file-of-another-program');
      fillDisk(disk, filler);
      await wait(1000 * Number(seconds));
      rmSync(filler);
      const freedAt = workload.elapsed();
      await wait(5_000);
      await workload.stop();
      const reads = workload.failures.filter(({ call }) => call === 'list');
      checks.check('reading continues', !reads.length, countFailures(reads));
      const unexpected = workload.failures.filter(({ code }) => code !== 'storage_full');
      checks.check(
        `${workload.failures.length} of ${workload.requests()} requests were refused, all as storage_full`,
        !unexpected.length && workload.failures.length > 0,
        countFailures(unexpected),
      );
      const late = workload.failures.filter(({ at }) => at > freedAt + 2_000);
      checks.check('with free space changes are accepted again, without a restart', !late.length, countFailures(late));
      await workload.checkStored('afterwards', checks);
      const crashes = product.log().filter((line) => /PANIC|ended unexpectedly/.test(line));
      checks.check('PostgreSQL did not stop', !crashes.length, crashes[0]);
    }),
};

function fillDisk(disk: string, filler: string) {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch (error) {
    // PostgreSQL has taken some of it meanwhile; what could be written fills the disk.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
