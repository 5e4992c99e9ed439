import type { Database } from '#server/kit/db/open.ts';
import type { Bench, Measured, Ratio } from './bench.ts';
import { type BenchDatabase, onEmbedded, onPostgres } from './databases.ts';
import { at, figure, median, range, table, times } from './figures.ts';
import { generateLeads } from './generate-leads.ts';
import { type Combination, listCombinations } from './list-combinations.ts';
import { CALLERS, type HttpFigures, timeHttp } from './list-http.ts';
import {
  type Grown,
  type Timed,
  type TimedPage,
  timeCompanions,
  timeGrowth,
  timePages,
  withinTheList,
} from './list-page.ts';

const SIZES = [10_000, 100_000, 1_000_000];
/** The embedded database is for a small team's number of leads. */
const MOST_EMBEDDED = 100_000;
const PORT = 31_908;
const WORST = 10;

/** A page of the list and its total in every combination of filters, from ten thousand leads to a million. */
export const listBench: Bench = {
  title: 'The list of leads',
  async run([most = String(SIZES.at(-1))]) {
    const sizes = SIZES.filter((size) => size <= Number(most));
    const parts = [
      await benchOn('PostgreSQL', onPostgres, sizes),
      await benchOn(
        'embedded',
        onEmbedded,
        sizes.filter((size) => size <= MOST_EMBEDDED),
      ),
    ];
    return {
      text: parts.map(({ text }) => text).join('\n\n'),
      ratios: Object.assign({}, ...parts.map(({ ratios }) => ratios)),
    };
  },
};

interface AtSize {
  leads: number;
  pages: TimedPage[];
  companions: Timed[];
  http: HttpFigures;
}

async function benchOn(name: string, start: () => Promise<BenchDatabase | undefined>, sizes: number[]) {
  const databases: BenchDatabase[] = [];
  try {
    for (const _ of sizes) {
      const database = await start();
      if (!database) return { text: '', ratios: {} };
      databases.push(database);
    }
    const { timings, grown } = await timeSizes(databases, sizes);
    const measured: AtSize[] = [];
    for (const [nth, database] of databases.entries()) {
      measured.push({ leads: sizes[nth] ?? 0, ...(timings[nth] as Timings), http: await timeHttp(database, PORT) });
    }
    return report(name, measured, grown);
  } finally {
    for (const database of databases) await database.stop();
  }
}

type Timings = Pick<AtSize, 'pages' | 'companions'>;

/** All sizes beside each other, so that each combination is timed at every size within the same seconds. */
async function timeSizes(databases: BenchDatabase[], sizes: number[]): Promise<{ timings: Timings[]; grown: Grown[] }> {
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
    const grown = await timeGrowth(opened, combinations, pages);
    const companions: Timed[][] = [];
    for (const each of opened) companions.push(await timeCompanions(each));
    return { timings: pages.map((each, nth) => ({ pages: each, companions: companions[nth] ?? [] })), grown };
  } finally {
    for (const each of opened) await each.close();
  }
}

const onPage = ({ query, ...rest }: Combination, page: number): Combination => ({ ...rest, query: { ...query, page } });

function report(name: string, measured: AtSize[], grown: Grown[]): Measured {
  const [first] = measured;
  const last = measured.at(-1);
  if (!first || !last) return { text: '', ratios: {} };
  const growths = grown.map(growthOf);
  const growth = median(growths);
  const sizes = measured.map(({ leads }) => `${figure(leads)} leads`);
  const each = (of: (size: AtSize) => string) => measured.map(of);
  const toBare = ({ pages }: AtSize) => median(pages.map(({ product, bare }) => product / bare));
  const httpRatio = ({ http }: AtSize) => median(http.bare.map((bare, turn) => bare / (http.http[turn] ?? 0)));
  const text = [
    table(
      [`${name}, ${figure(first.pages.length)} combinations`, ...sizes],
      [
        [
          'page and total, milliseconds (median / 95% / max)',
          ...each(({ pages }) =>
            times(
              pages.map(({ product }) => product),
              1,
            ),
          ),
        ],
        ['ratio to the same statements through the bare driver (median)', ...each((size) => toBare(size).toFixed(2))],
        ...first.companions.map(({ name: companion }, nth) => [
          `${companion}, milliseconds`,
          ...each(({ companions }) => figure(companions[nth]?.product ?? 0, 1)),
        ]),
        [`first page by ${CALLERS} callers over HTTP, a second`, ...each(({ http }) => range(http.http))],
        ['the same statements through the bare driver, a second', ...each(({ http }) => range(http.bare))],
        ['times the bare driver', ...each((size) => httpRatio(size).toFixed(2))],
        ['answer over HTTP (median / 95% / max)', ...each(({ http }) => times(http.answers))],
        [
          'processor time a request, server / bare driver',
          ...each(({ http }) => `${figure(http.httpCpu, 2)} / ${figure(http.bareCpu, 2)} ms`),
        ],
      ],
    ),
    [
      `From ${sizes[0]} to ${sizes.at(-1)} a page with its total takes ${growth.toFixed(2)} times as long: the median of the`,
      `${figure(grown.length)} combinations that have as many rows to show at both sizes; nine of ten take at most ${at(growths, 0.9).toFixed(2)} times.`,
    ].join('\n'),
    table(
      ['its total is', 'combinations', 'growth (median / 90% / most)', 'grow by less than half', sizes.at(-1) ?? ''],
      [...new Set(grown.map(({ total }) => total))].map((total) =>
        grownLine(
          total,
          grown.filter((each) => each.total === total),
        ),
      ),
    ),
    'The most that any takes more:',
    table(
      ['combination', sizes[0] ?? '', sizes.at(-1) ?? '', 'growth'],
      grown
        .toSorted((a, b) => b.many - b.few - (a.many - a.few))
        .slice(0, WORST)
        .map((line) => [
          line.name,
          `${figure(line.few, 1)} ms`,
          `${figure(line.many, 1)} ms`,
          growthOf(line).toFixed(1),
        ]),
    ),
  ].join('\n\n');
  const lower = (value: number): Ratio => ({ value, better: 'lower' });
  return {
    text,
    ratios: {
      [`list, ${name}, page to bare`]: lower(toBare(last)),
      [`list, ${name}, growth`]: lower(growth),
      [`list, ${name}, HTTP to bare`]: lower(httpRatio(last)),
    },
  };
}

function grownLine(name: string, grown: Grown[]): string[] {
  const growths = grown.map(growthOf);
  return [
    name,
    figure(grown.length),
    [0.5, 0.9, 1].map((share) => at(growths, share).toFixed(2)).join(' / '),
    figure(growths.filter((growth) => growth <= 1.5).length),
    times(
      grown.map(({ many }) => many),
      1,
    ),
  ];
}

const growthOf = ({ few, many }: Grown) => many / few;
