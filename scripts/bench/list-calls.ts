import { pathOf } from '#contract/call.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { createCaller } from './callers.ts';
import type { BenchDatabase } from './databases.ts';
import type { Combination } from './list-combinations.ts';
import { leastInTurns } from './list-page.ts';
import { adminIn, signedIn } from './people.ts';
import { startProduct } from './product.ts';

/** Each combination as the screen sends it, one at a time, to a product on each database: the least milliseconds at each. */
export async function timeCalls(databases: BenchDatabase[], combinations: Combination[][], port: number) {
  if (!combinations[0]?.length) return [];
  const listed: Listed[] = [];
  try {
    for (const [at, database] of databases.entries()) {
      listed.push(await startListing(database, combinations[at] ?? [], port + at));
    }
    const took: number[][] = [];
    for (const nth of combinations[0].keys()) {
      const asks = listed.map(({ ask }) => ask.bind(null, nth));
      took.push(await leastInTurns(asks));
    }
    return took;
  } finally {
    for (const { stop } of listed) await stop();
  }
}

interface Listed {
  ask: (nth: number) => Promise<void>;
  stop: () => Promise<void>;
}

async function startListing(database: BenchDatabase, combinations: Combination[], port: number): Promise<Listed> {
  const cookies = await cookiesFor(database, combinations);
  const requests = combinations.map(({ viewer, query }) => ({
    method: 'GET',
    path: pathOf(listLeads, { query }),
    cookie: cookies.get(nameOf(viewer)) ?? '',
  }));
  const product = await startProduct(port, database.env);
  const caller = createCaller(product.url, 1);
  return {
    ask: async (nth) => {
      const request = requests[nth];
      if (request) await caller.call(request);
    },
    stop: async () => {
      caller.close();
      await product.stop();
    },
  };
}

async function cookiesFor(database: BenchDatabase, combinations: Combination[]): Promise<Map<string, string>> {
  const opened = await database.open();
  try {
    const sellers = new Set(
      combinations.filter(({ viewer }) => viewer.role !== 'admin').map(({ viewer }) => viewer.id),
    );
    const people = await signedIn(opened.pool, [...sellers]);
    const admin = await adminIn(opened.pool);
    return new Map([...people.map(({ id, cookie }) => [String(id), cookie] as const), ['admin', admin.cookie]]);
  } finally {
    await opened.close();
  }
}

const nameOf = ({ id, role }: Viewer) => (role === 'admin' ? role : String(id));
