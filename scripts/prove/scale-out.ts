import { startCluster } from './cluster.ts';
import { firstAdmin, newPerson, type Person } from './people.ts';
import { type Proof, withCleanUp } from './proof.ts';
import { killOne, restartOneByOne } from './scale-out-restarts.ts';
import { sharedAccounts, sharedImports, sharedJobs, sharedKeys, sharedNews } from './scale-out-shared.ts';

export const scaleOut: Proof = {
  says: 'Four processes behind nginx and PgBouncer are one product: sessions, limits, news, jobs, restarts, a killed process.',
  run: (_args, checks) =>
    withCleanUp(async (later) => {
      const cluster = await startCluster(later);
      const migrated = cluster.products.filter(({ lines }) =>
        lines.some((line) => line.includes('schema was migrated')),
      );
      checks.holds('four start together on an empty database, and one migrates it', migrated.length === 1);

      const registered = await Promise.allSettled(
        cluster.askers.map((asker, nth) => firstAdmin(asker, setupCodeIn(cluster.products[nth]?.lines ?? []))),
      );
      const admins = registered.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      checks.holds('of four first administrators at once there is one', admins.length === 1, `${admins.length}`);
      const admin = admins[0] as Person;

      const people: Person[] = [];
      for (let nth = 1; nth <= 20; nth += 1) people.push(await newPerson(cluster.asker, admin, `person${nth}`));
      await sharedAccounts(cluster, admin, checks);
      await sharedNews(cluster, admin, people, checks);
      await sharedKeys(cluster, admin, people, checks);
      await sharedJobs(cluster, admin, people, checks);
      await sharedImports(cluster, admin, checks);
      const [{ count } = { count: 0 }] = await cluster.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = 'highstreet' and pid <> pg_backend_pid()`,
      );
      checks.holds(
        'the server has at most 20 pooled connections and one more for each process',
        count <= 24,
        `${count}`,
      );

      await restartOneByOne(cluster, admin, people, checks);
      await killOne(cluster, admin, people, checks);
      const errors = cluster.products.flatMap(({ complaints }) => complaints);
      checks.holds('no process logged an error', !errors.length, errors.slice(0, 3).join('\n'));
    }),
};

const setupCodeIn = (lines: string[]) => lines.join('\n').match(/^Set-up code for the first account: (\S+)$/m)?.[1];
