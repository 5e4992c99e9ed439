import { type LeadPageQuery, leadPointsQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Database } from '#server/kit/db/open.ts';
import { foundInSets } from '#server/leads/found-in-sets.sql.ts';
import * as counts from '#server/leads/lead-counts.sql.ts';
import { leadPoints } from '#server/leads/lead-lists.sql.ts';
import { leadPage } from '#server/leads/lead-page.sql.ts';
import type { Combination } from './list-combinations.ts';
import { hear, type Recorded, replay } from './recorded.ts';

const ROUNDS = 3;
const TURNS = 40;

export interface Timed {
  name: string;
  /** How many rows the page has. */
  rows: number;
  /** Milliseconds, the least of a few rounds: the rest is other people's noise. */
  product: number;
  bare: number;
}

/** How the product knows how many leads match. */
export type TotalIs = 'counted when leads change' | 'counted in sets of leads' | 'looked up, as far as 10,000';

export interface TimedPage extends Timed {
  total: TotalIs;
}

/**
 * Each combination through the product's own function and, turn by turn, the same statements through the driver alone;
 * on every database before the next combination.
 */
export async function timePages(databases: Database[], combinations: Combination[][]): Promise<TimedPage[][]> {
  const timed: TimedPage[][] = databases.map(() => []);
  for (const nth of combinations[0]?.keys() ?? []) {
    for (const [at, database] of databases.entries()) {
      const combination = combinations[at]?.[nth];
      if (combination) timed[at]?.push(await timePage(database, combination));
    }
  }
  return timed;
}

async function timePage(database: Database, { name, viewer, query }: Combination): Promise<TimedPage> {
  const { db } = database;
  const total = await totalIs(db, viewer, query);
  return { ...(await timeBoth(database, name, () => leadPage(db, viewer, query))), total };
}

async function totalIs(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<TotalIs> {
  if ((await counts.countedLeads(db, viewer, query)) !== undefined) return 'counted when leads change';
  return (await foundInSets(db, viewer, query)) ? 'counted in sets of leads' : 'looked up, as far as 10,000';
}

/** Those with the same rows to show at the smallest and the largest size: an empty page says nothing about a full one. */
export function comparable(pages: TimedPage[][]): number[] {
  const [few = [], ...more] = pages;
  const many = more.at(-1) ?? [];
  return [...few.keys()].filter((nth) => few[nth]?.rows && many[nth]?.rows === few[nth]?.rows);
}

/** The same for each of them, turn by turn; the least milliseconds of each. */
export async function leastInTurns(asks: (() => Promise<unknown>)[]): Promise<number[]> {
  const least = asks.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [at, ask] of asks.entries()) least[at] = Math.min(least[at] ?? 0, await milliseconds(ask));
  }
  return least;
}

/** Each combination by the product's own function, on each database: the least milliseconds at each. */
export async function timeGrowth(databases: Database[], combinations: Combination[][]): Promise<number[][]> {
  const took: number[][] = [];
  for (const nth of combinations[0]?.keys() ?? []) {
    const asks = databases.map(({ db }, at) => async () => {
      const combination = combinations[at]?.[nth];
      if (combination) await leadPage(db, combination.viewer, combination.query);
    });
    took.push(await leastInTurns(asks));
  }
  return took;
}

/** What the screen asks for beside the page. */
export async function timeCompanions({ db, ...rest }: Database): Promise<Timed[]> {
  const admin: Viewer = { id: 0, role: 'admin' };
  const companions: [string, () => Promise<unknown>][] = [
    ['towns', () => counts.townsInView(db, admin)],
    ['tags', () => counts.tagsInView(db, admin)],
    ['statuses', () => counts.statusesInView(db, admin)],
    ['points of the map', () => leadPoints(db, admin, leadPointsQuery.parse({}))],
  ];
  const timed: Timed[] = [];
  for (const [name, ask] of companions) timed.push(await timeBoth({ db, ...rest }, name, ask));
  return timed;
}

async function timeBoth({ pool }: Database, name: string, ask: () => Promise<unknown>): Promise<Timed> {
  const statements: Recorded = [];
  const stop = hear(statements);
  const answer = (await ask().finally(stop)) as { items?: unknown[] };
  const [product, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    product.push(await milliseconds(ask));
    bare.push(await milliseconds(() => replay(pool, statements)));
  }
  return { name, rows: answer.items?.length ?? 0, product: Math.min(...product), bare: Math.min(...bare) };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Deep pages as deep as the list goes: the screen offers no page behind the last one. */
export async function withinTheList(database: Database, combinations: Combination[]): Promise<Combination[]> {
  const fitting: Combination[] = [];
  for (const { query, ...rest } of combinations) {
    const { total } = await leadPage(database.db, rest.viewer, { ...query, page: 1 });
    const last = Math.max(1, Math.ceil(total / query.pageSize));
    fitting.push({ ...rest, query: { ...query, page: Math.min(query.page, last) } });
  }
  return fitting;
}
