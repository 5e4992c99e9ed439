import type { Measured, Ratio } from './bench.ts';
import { at, figure, median, range, table, times } from './figures.ts';
import { CALLERS, type HttpFigures } from './list-http.ts';
import type { Timed, TimedPage } from './list-page.ts';

const WORST = 10;

export interface AtSize {
  leads: number;
  pages: TimedPage[];
  companions: Timed[];
  http: HttpFigures;
}

/** A combination that has as many rows to show at the smallest and the largest size. */
export interface Grown extends Pick<TimedPage, 'name' | 'total'> {
  /** The product's own function. */
  page: Growth;
  /** The whole call, as the screen sends it. */
  call: Growth;
}

/** Milliseconds among few leads and among many. */
export interface Growth {
  few: number;
  many: number;
}

export function report(name: string, measured: AtSize[], grown: Grown[]): Measured {
  const [first] = measured;
  const last = measured.at(-1);
  if (!first || !last) return { text: '', ratios: {} };
  const sizes = measured.map(({ leads }) => `${figure(leads)} leads`);
  const each = (of: (size: AtSize) => string) => measured.map(of);
  const toBare = ({ pages }: AtSize) => median(pages.map(({ product, bare }) => product / bare));
  const httpRatio = ({ http }: AtSize) => median(http.bare.map((bare, turn) => bare / (http.http[turn] ?? 0)));
  const text = table(
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
  );
  const growth = grown.length
    ? reportGrowth(name, [sizes[0] ?? '', sizes.at(-1) ?? ''], grown)
    : { text: '', ratios: {} };
  return {
    text: `${text}\n\n${growth.text}`,
    ratios: {
      ...growth.ratios,
      [`list, ${name}, page to bare`]: lower(toBare(last)),
      [`list, ${name}, HTTP to bare`]: lower(httpRatio(last)),
    },
  };
}

const lower = (value: number): Ratio => ({ value, better: 'lower' });

function reportGrowth(name: string, [smallest, largest]: [string, string], grown: Grown[]): Measured {
  const ofPage = median(grown.map(({ page }) => timesAsLong(page)));
  const ofCall = median(grown.map(({ call }) => timesAsLong(call)));
  const text = [
    [
      `From ${smallest} to ${largest} a page with its total takes ${ofPage.toFixed(2)} times as long, and the call that the`,
      `screen sends for it ${ofCall.toFixed(2)} times: medians of the ${figure(grown.length)} combinations that have as many rows to show at both sizes.`,
    ].join('\n'),
    table(
      ['its total is', 'combinations', 'growth (median / 90% / most)', 'grow by half at most', largest],
      [
        ...[...new Set(grown.map(({ total }) => total))].map((total) =>
          grownLine(
            total,
            grown.filter((each) => each.total === total).map(({ page }) => page),
          ),
        ),
        grownLine(
          'any of these, as a call by one caller over HTTP',
          grown.map(({ call }) => call),
        ),
      ],
    ),
    'The calls that grow most, and the pages in them, which were timed some minutes earlier:',
    table(
      ['combination', `call, ${smallest}`, largest, 'growth', 'page', 'growth'],
      grown
        .toSorted((a, b) => timesAsLong(b.call) - timesAsLong(a.call))
        .slice(0, WORST)
        .map(({ name: combination, page, call }) => [
          combination,
          `${figure(call.few, 1)} ms`,
          `${figure(call.many, 1)} ms`,
          timesAsLong(call).toFixed(2),
          `${figure(page.few, 1)} to ${figure(page.many, 1)} ms`,
          timesAsLong(page).toFixed(2),
        ]),
    ),
  ].join('\n\n');
  return {
    text,
    ratios: { [`list, ${name}, growth`]: lower(ofPage), [`list, ${name}, growth of the call`]: lower(ofCall) },
  };
}

function grownLine(name: string, grown: Growth[]): string[] {
  const growths = grown.map(timesAsLong);
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

const timesAsLong = ({ few, many }: Growth) => many / few;
