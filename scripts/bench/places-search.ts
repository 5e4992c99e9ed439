import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchRequest } from '#contract/search/search.ts';
import type { Request } from './callers.ts';
import { postcodeLetters, towns, VILLAGE_NAMES } from './places-file.ts';

const THIRTY_MILES = 48_280;
const LONDON = { location: 'London' };
const WIDE = { ...LONDON, radius: THIRTY_MILES };

type RequestContext = Partial<SearchRequest> & { businessType: string; location: string };

const town = (nth: number) => towns[(nth * 37) % towns.length]?.name ?? '';
const postcode = (nth: number) => `${postcodeLetters[(nth * 37) % towns.length]}${1 + (nth % 20)}`;
const of = <T>(list: readonly T[], nth: number) => list[nth % list.length] as T;

const COMMON = ['Restaurant', 'Cafe', 'Pub', 'Bakery', 'Hairdresser', 'Plumber'];
const RARE = ['Planetarium', 'Aquarium', 'Zoo', 'Embassy', 'Bowling alley', 'Sushi restaurant'];
const NAMES = ['Hargreaves Bakery', 'Fox & Finch Florist', "Okafor's Pub", 'Blue Door Dentist', 'Red Lantern Gym'];
const WORDS = ['kingfisher', 'lighthouse', 'silver birch', 'hargreaves', 'ox'];
const MISSPELT = ['resturant', 'bakrey', 'hairdreser', 'plummer'];

/** What people search for, each kind with its own questions. */
const KINDS: Record<string, (nth: number) => RequestContext> = {
  'a common kind in a town': (nth) => ({ businessType: of(COMMON, nth), location: town(nth) }),
  'a rare kind in a town': (nth) => ({ businessType: of(RARE, nth), location: town(nth) }),
  'a kind under a postcode': (nth) => ({ businessType: of(COMMON, nth), location: postcode(nth) }),
  'a kind in a village that no list has': (nth) => ({
    businessType: of(COMMON, nth),
    location: of(VILLAGE_NAMES, nth * 37),
  }),
  'a common kind in London': (nth) => ({ businessType: of(COMMON, nth), ...LONDON }),
  'a common kind, 30 miles around London, 60 results': (nth) => ({
    businessType: of(COMMON, nth),
    ...WIDE,
    maxResults: 60,
  }),
  '… its third page': (nth) => ({ businessType: of(COMMON, nth), ...WIDE, maxResults: 60, page: 3 }),
  '… by distance': (nth) => ({ businessType: of(COMMON, nth), ...WIDE, maxResults: 60, sortBy: 'distance' }),
  '… by rating, in a price range, with a keyword': (nth) => ({
    businessType: of(COMMON, nth),
    ...WIDE,
    sortBy: 'rating',
    maxPrice: 2,
    keyword: 'golden',
  }),
  'a rare kind, 30 miles around London': (nth) => ({ businessType: of(RARE, nth), ...WIDE }),
  'nearby, open now, London': (nth) => ({
    businessType: of(COMMON, nth),
    ...LONDON,
    searchMethod: 'nearbySearch',
    openNow: true,
  }),
  'a name in a town': (nth) => ({ businessType: of(NAMES, nth), location: town(nth), searchMethod: 'findPlace' }),
  'a name, 30 miles around London': (nth) => ({ businessType: of(NAMES, nth), ...WIDE, searchMethod: 'findPlace' }),
  'a word that is no kind, 30 miles around London': (nth) => ({ businessType: of(WORDS, nth), ...WIDE }),
  'a misspelt kind, 30 miles around London': (nth) => ({ businessType: of(MISSPELT, nth), ...WIDE }),
  'what nobody has, 30 miles around London': (nth) => ({ businessType: `zzyzx quark ${nth}`, ...WIDE }),
};

/** So many searches of each kind. */
export const searchesOf = (cookie: string, each: number): [kind: string, requests: Request[]][] =>
  Object.entries(KINDS).map(([kind, ask]) => [
    kind,
    Array.from({ length: each }, (_, nth) => {
      const body = ask(nth);
      return { method: searchBusinesses.method, path: searchBusinesses.path, cookie, body };
    }),
  ]);
