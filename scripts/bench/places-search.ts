import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchRequest } from '#contract/search/search.ts';
import { UK_PLACES } from '#contract/search/uk-places.ts';
import type { HttpRequest } from '../measure/callers.ts';
import { villageNear } from './places-file.ts';

type Search = Partial<SearchRequest> & { businessType: string; location: string };

const TOWNS = UK_PLACES.filter(({ kind }) => kind === 'city' || kind === 'town');
const COMMON = ['Restaurant', 'Cafe', 'Pub', 'Bakery', 'Hairdresser', 'Plumber'];
const RARE = ['Planetarium', 'Aquarium', 'Zoo', 'Embassy', 'Bowling alley', 'Sushi restaurant'];
const NAMES = ['Hargreaves Bakery', 'Fox & Finch Florist', "Okafor's Pub", 'Blue Door Dentist', 'Red Lantern Gym'];
const WORDS = ['kingfisher', 'lighthouse', 'silver birch', 'hargreaves', 'ox'];
const MISSPELT = ['resturant', 'bakrey', 'hairdreser', 'plummer'];
const OUTCODES = ['LS7', 'M4', 'BS8', 'NE1', 'CF10', 'EH3'];

const pick = (list: string[], nth: number) => list[nth % list.length] as string;
const town = (nth: number) => TOWNS[(nth * 37) % TOWNS.length]?.name ?? '';
const LONDON = { location: 'London' };
const WIDE = { ...LONDON, radius: 48_280 };

const KINDS: Record<string, (nth: number) => Search> = {
  'a common type in a town': (nth) => ({ businessType: pick(COMMON, nth), location: town(nth) }),
  'a rare type in a town': (nth) => ({ businessType: pick(RARE, nth), location: town(nth) }),
  'a type at a postcode': (nth) => ({ businessType: pick(COMMON, nth), location: pick(OUTCODES, nth) }),
  'a type in an unlisted village': (nth) => ({ businessType: pick(COMMON, nth), location: villageNear(8 * nth) }),
  'a common type, 30 miles around London, 60 results': (nth) => ({
    ...{ businessType: pick(COMMON, nth), ...WIDE, maxResults: 60 },
  }),
  '… by rating, in a price range, with a keyword': (nth) => ({
    ...{ businessType: pick(COMMON, nth), ...WIDE, sortBy: 'rating', maxPrice: 2, keyword: 'golden' },
  }),
  'a rare type, 30 miles around London': (nth) => ({ businessType: pick(RARE, nth), ...WIDE }),
  'nearby, open now, London': (nth) => ({
    ...{ businessType: pick(COMMON, nth), ...LONDON, searchMethod: 'nearbySearch', openNow: true },
  }),
  'a name in a town': (nth) => ({ businessType: pick(NAMES, nth), location: town(nth), searchMethod: 'findPlace' }),
  'a name, 30 miles around London': (nth) => ({ businessType: pick(NAMES, nth), ...WIDE, searchMethod: 'findPlace' }),
  'a word that is no type, 30 miles around London': (nth) => ({ businessType: pick(WORDS, nth), ...WIDE }),
  'a misspelt type, 30 miles around London': (nth) => ({ businessType: pick(MISSPELT, nth), ...WIDE }),
  'no match, 30 miles around London': (nth) => ({ businessType: `zzyzx quark ${nth}`, ...WIDE }),
};

/** So many searches of each kind. */
export const buildSearches = (cookie: string, each: number): [kind: string, requests: HttpRequest[]][] =>
  Object.entries(KINDS).map(([kind, build]) => [
    kind,
    Array.from({ length: each }, (_, nth) => {
      return { method: searchBusinesses.method, path: searchBusinesses.path, cookie, body: build(nth) };
    }),
  ]);
