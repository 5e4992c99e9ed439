import { setTimeout as wait } from 'node:timers/promises';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import type { Cluster } from './cluster.ts';
import { startLoad, tally, type Work } from './load.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import type { Checks } from './proof.ts';
import { newBusinesses } from './scale-out-shared.ts';

/** As long as nginx leaves a process alone that has failed it: so long between two restarts. */
const FAIL_TIMEOUT_MS = 5_000;

/** A lead for each, to work on. */
export async function workFor(
  cluster: Pick<Cluster, 'asker' | 'query'>,
  admin: Person,
  people: Person[],
): Promise<Work[]> {
  const businesses = await newBusinesses(cluster.query, people.length);
  return Promise.all(
    people.map(async (person, nth) => {
      const body = { userId: person.id, businessId: businesses[nth] ?? 0 };
      const { body: lead } = await cluster.asker.ask(assignBusiness, { body }, admin);
      return { person, leadId: lead.id };
    }),
  );
}

export async function restartOneByOne(cluster: Cluster, admin: Person, people: Person[], checks: Checks) {
  const { asker, products, start, directUrl } = cluster;
  const load = startLoad(asker, await workFor(cluster, admin, people));
  await wait(2_000);
  const ends: (number | string)[] = [];
  for (const [nth, product] of products.entries()) {
    ends.push(await product.stop());
    products[nth] = await start(product.port);
    await wait(FAIL_TIMEOUT_MS);
  }
  await load.stop();
  const { lost, twice, moved } = await load.audit(directUrl);
  checks.holds(
    'four restarts in turn: each process ends with 0',
    ends.every((code) => code === 0),
    `${ends}`,
  );
  checks.holds(
    `meanwhile ${load.requests()} requests, two thirds of them changes: none failed`,
    !load.failures.length,
    tally(load.failures),
  );
  checks.holds(
    `${load.acknowledged.size} acknowledged activities are there, once; every lead is in its last status`,
    !lost.length && !twice.length && !moved.length,
    `${lost.length} lost, ${twice.length} twice, ${moved.length} elsewhere`,
  );
}

export async function killOne(cluster: Cluster, admin: Person, people: Person[], checks: Checks) {
  const { asker, products, start, directUrl } = cluster;
  const load = startLoad(asker, await workFor(cluster, admin, people));
  await wait(2_000);
  const victim = products[2] as Product;
  await victim.kill();
  const killedAt = load.now();
  await wait(5_000);
  const calm = load.failures.filter(({ at }) => at > killedAt + 3_000);
  products[2] = await start(victim.port);
  await wait(FAIL_TIMEOUT_MS + 1_000);
  await load.stop();
  const { lost, twice, moved } = await load.audit(directUrl);
  checks.holds(
    'one of four killed under load: at most what it was doing has to be asked again',
    load.failures.length <= people.length && load.failures.every(({ status }) => status === 502),
    tally(load.failures),
  );
  checks.holds('and nobody notices three seconds later', !calm.length, tally(calm));
  checks.holds(
    `${load.acknowledged.size} acknowledged activities are there, and with what was asked again none twice`,
    !lost.length && !twice.length && !moved.length,
    `${lost.length} lost, ${twice.length} twice, ${moved.length} elsewhere`,
  );
}
