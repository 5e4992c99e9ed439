import { MORE_MATCH } from '#contract/search/search.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type IsOpen, openingHoursAt } from '#server/places/opening-hours.ts';
import { mapsSearchUrl, type Place, type PlacesProvider, type PlacesQuery } from '#server/places/places.ts';
import { sortPlaces } from '#server/places/providers/collect-pages.ts';
import { locationNotFound } from '#server/places/refusals.ts';
import { loadSample, SAMPLE, sampleInUse } from '#server/places/sample/load-sample.ts';
import { parseUkPhone } from '#server/places/uk-phone.ts';
import { type AreaQuery, findCentre, findPlaces, hoursKnown, pricesKnown, type FoundRow as Row } from './local.sql.ts';

// Opening hours are evaluated here, not in SQL, so more rows are fetched than are returned.
const MAX_CANDIDATES = 1_000;

type Candidate = Row & { openNow: boolean | null };

/** Searches the places table of this installation, without key or quota. */
export function localProvider({ db, clock, timeZone }: { db: Db; clock: Clock; timeZone: string }): PlacesProvider {
  let sample: Promise<void> | undefined;
  const ensureSample = () => {
    sample ??= loadSample(db).catch((error) => {
      sample = undefined; // the next search tries again
      throw error;
    });
    return sample;
  };

  return {
    id: 'local',
    cacheable: false,
    cost: { paid: false, callsPerSearch: 0, secondsPerSearch: 0.02, callsPerDay: null },
    requireReady: () => {},
    locate: async (location) => {
      await ensureSample();
      return findCentre(db, location);
    },

    async search(query) {
      const { centre } = query;
      if (!centre) throw locationNotFound(query.location);
      await ensureSample();
      const isOpen = openingHoursAt(clock(), timeZone);
      const { rows, notices } = await findInRange(db, { ...query, centre }, isOpen);
      const found = rows.map((row) => ({ ...row, openNow: isOpen(row.openingHours) }));
      // In the order of the match, unless another one was requested.
      const { matching, notices: filterNotices } = applyFilters(query, sortPlaces(query, found));
      const isSample = rows.length ? rows.some(({ source }) => source === SAMPLE) : await sampleInUse(db);
      return {
        places: matching.slice(0, query.maxResults).map(toPlace),
        attributions: toAttributions(rows),
        sample: isSample,
        notices: [
          ...(isSample ? ['These are invented sample businesses in real UK towns, for trying Highstreet out.'] : []),
          ...notices,
          ...(matching.length > query.maxResults ? [MORE_MATCH] : []),
          ...filterNotices,
        ],
      };
    },
  };
}

/** The places in the area. Price and opening hours filter only where some place in the area has them. */
async function findInRange(db: Db, query: AreaQuery, isOpen: IsOpen) {
  const prices = hasPriceFilter(query) && (await pricesKnown(db, query));
  const withHours = query.openNow && (await hoursKnown(db, query));
  if (!prices && !withHours) return findPlaces(db, query, query.maxResults + 1);
  const only = { withHours, ...(prices && { prices: { from: query.minPrice ?? 0, to: query.maxPrice ?? 4 } }) };
  const found = await findPlaces(db, { ...query, ...only }, withHours ? MAX_CANDIDATES : query.maxResults + 1);
  const evaluable = found.rows.some(({ openingHours }) => !withHours || isOpen(openingHours) !== null);
  // None: fetch again without the filters, to find out whether the matching places have no prices or hours at all.
  return evaluable ? found : findPlaces(db, query, MAX_CANDIDATES);
}

const hasPriceFilter = ({ minPrice, maxPrice }: PlacesQuery) => (minPrice ?? 0) > 0 || (maxPrice ?? 4) < 4;

/** Filters by opening hours and price. A filter whose data no place has is skipped, with a notice. */
function applyFilters(query: PlacesQuery, places: Candidate[]) {
  const { minPrice, maxPrice, openNow, sortBy } = query;
  const known = (field: 'rating' | 'priceLevel' | 'openNow') =>
    places.length === 0 || places.some((place) => place[field] !== null);
  const inRange = ({ priceLevel }: Candidate) =>
    priceLevel !== null && priceLevel >= (minPrice ?? 0) && priceLevel <= (maxPrice ?? 4);
  const open = openNow && known('openNow') ? places.filter((place) => place.openNow) : places;
  return {
    matching: hasPriceFilter(query) && known('priceLevel') ? open.filter(inRange) : open,
    notices: [
      ...(openNow && !known('openNow') ? ['This source has no opening hours, so all are shown.'] : []),
      ...(hasPriceFilter(query) && !known('priceLevel') ? ['This source has no prices to filter by.'] : []),
      ...(sortBy === 'rating' && !known('rating') ? ['This source has no ratings to sort by.'] : []),
    ],
  };
}

function toAttributions(rows: Row[]) {
  if (rows.some(({ source }) => source === 'overture')) {
    return [{ text: 'Overture Maps Foundation', url: 'https://overturemaps.org' }];
  }
  return [];
}

function toPlace(row: Candidate): Place {
  const phone = parseUkPhone(row.phone);
  const street = [row.address, row.town].filter(Boolean).join(', ');
  const formattedAddress = row.postcode ? `${street} ${row.postcode}`.trim() : street ? `${street}, UK` : null;
  return {
    placeId: row.placeId,
    name: row.name,
    formattedAddress,
    vicinity: street || null,
    town: row.town,
    phone: phone?.national ?? row.phone,
    internationalPhone: phone?.international ?? null,
    website: row.website,
    googleMapsUrl: mapsSearchUrl(row.name, formattedAddress),
    rating: row.rating,
    userRatingsTotal: row.userRatingsTotal,
    priceLevel: row.priceLevel,
    businessStatus: row.businessStatus,
    openNow: row.openNow,
    types: row.categories,
    latitude: row.latitude,
    longitude: row.longitude,
    icon: null,
    photoReferences: [],
    ownerName: null,
  };
}
