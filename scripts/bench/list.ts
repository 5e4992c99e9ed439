import type { Database } from '#server/kit/db/open.ts';
import type { Bench } from './bench.ts';
import { type BenchDatabase, startDatabase } from './databases.ts';
import { generateLeads } from './generate-leads.ts';
import { timeCalls } from './list-calls.ts';
import { type Combination, listCombinations } from './list-combinations.ts';
import { timeHttp } from './list-http.ts';
import {
  comparable,
  type Timed,
  type TimedPage,
  timeCompanions,
  timeGrowth,
  timePages,
  withinTheList,
} from './list-page.ts';
import { type AtSize, type Growth, report } from './list-report.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const PORT = 31_908;

/** A page of the list and its total in every combination of filters, from ten thousand leads to a million. */
export const listBench: Bench = {
  title: 'The list of leads',
  async run([most = String(SIZES.at(-1))]) {
    const sizes = SIZES.filter((size) => size <= Number(most));
    return benchOn('PostgreSQL', startDatabase, sizes);
  },
};

async function benchOn(name: string, start: () => Promise<BenchDatabase | undefined>, sizes: number[]) {
  const databases: BenchDatabase[] = [];
  try {
    for (const _ of sizes) {
      const database = await start();
      if (!database) return { text: '', ratios: {} };
      databases.push(database);
    }
    const { pages, companions, compared, combinations, took } = await timeSizes(databases, sizes);
    const called = await timeCalls(bothEnds(databases), combinations, PORT);
    const grown = compared.map(({ name, total }, nth) => ({
      name,
      total,
      page: growth(took[nth]),
      call: growth(called[nth]),
    }));
    const measured: AtSize[] = [];
    for (const [nth, database] of databases.entries()) {
      const timed = { pages: pages[nth] ?? [], companions: companions[nth] ?? [] };
      measured.push({ leads: sizes[nth] ?? 0, ...timed, http: await timeHttp(database, PORT) });
    }
    return report(name, measured, grown);
  } finally {
    for (const database of databases) await database.stop();
  }
}

/** The smallest and the largest, which are one where only one is measured. */
const bothEnds = <T>(sizes: T[]): T[] => (sizes.length > 1 ? [...sizes.slice(0, 1), ...sizes.slice(-1)] : sizes);
const growth = ([few = 0, many = few]: number[] = []): Growth => ({ few, many });

interface TimedSizes {
  pages: TimedPage[][];
  companions: Timed[][];
  /** The combinations whose growth is told, as timed at the largest size, as asked at both ends, and what they took there. */
  compared: TimedPage[];
  combinations: Combination[][];
  took: number[][];
}

/** All sizes beside each other, so that each combination is timed at every size within the same seconds. */
async function timeSizes(databases: BenchDatabase[], sizes: number[]): Promise<TimedSizes> {
  const opened: Database[] = [];
  try {
    const all: Combination[][] = [];
    for (const [nth, database] of databases.entries()) {
      const each = await database.open();
      opened.push(each);
      all.push(listCombinations(await generateLeads(each.pool, sizes[nth] ?? 0)));
    }
    // The pages of the smallest list, so that the same page is compared at every size.
    const [smallest] = opened;
    const deepest = smallest ? await withinTheList(smallest, all[0] ?? []) : [];
    const combinations = all.map((each) => each.map((one, nth) => onPage(one, deepest[nth]?.query.page ?? 1)));
    await timePages(
      opened,
      combinations.map((each) => each.slice(0, 50)), // not the first that the engine and the driver ever see
    );
    const pages = await timePages(opened, combinations);
    const nths = new Set(comparable(pages));
    const ends = bothEnds(combinations).map((each) => each.filter((_, nth) => nths.has(nth)));
    const took = await timeGrowth(bothEnds(opened), ends);
    const companions: Timed[][] = [];
    for (const each of opened) companions.push(await timeCompanions(each));
    const compared = (pages.at(-1) ?? []).filter((_, nth) => nths.has(nth));
    return { pages, companions, compared, combinations: ends, took };
  } finally {
    for (const each of opened) await each.close();
  }
}

const onPage = ({ query, ...rest }: Combination, page: number): Combination => ({ ...rest, query: { ...query, page } });
