import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mapsSearchUrl } from '#server/places/maps-url.ts';
import { type IsOpen, openAt } from '#server/places/opening-hours.ts';
import { MORE_MATCH, type Place, type PlacesProvider, type PlacesQuery } from '#server/places/places.ts';
import { sorted } from '#server/places/providers/gather.ts';
import { locationUnknown } from '#server/places/refusals.ts';
import { loadSample, SAMPLE, sampleInUse } from '#server/places/sample/load-sample.ts';
import { parseUkPhone } from '#server/places/uk-phone.ts';
import { type Around, hoursKnown, middleOf, placesAround, pricesKnown, type FoundRow as Row } from './local.sql.ts';

// Opening hours are looked at here, not in the database, so more rows are fetched than are shown.
const MAX_LOOKED_AT = 1_000;

type Found = Row & { openNow: boolean | null };

/** Searches the places table of this installation: no key, no quota, no bill. */
export function localProvider({ db, clock, timeZone }: { db: Db; clock: Clock; timeZone: string }): PlacesProvider {
  let sample: Promise<void> | undefined;
  const sampleLoaded = () => {
    sample ??= loadSample(db).catch((error) => {
      sample = undefined; // the next search tries again
      throw error;
    });
    return sample;
  };

  return {
    id: 'local',
    remembered: false,
    requireReady: () => {},
    locate: async (location) => {
      await sampleLoaded();
      return middleOf(db, location);
    },

    async search(query) {
      const { centre } = query;
      if (!centre) throw locationUnknown(query.location);
      await sampleLoaded();
      const isOpen = openAt(clock(), timeZone);
      const { rows, notices } = await placesInRange(db, { ...query, centre }, isOpen);
      const found = rows.map((row) => ({ ...row, openNow: isOpen(row.openingHours) }));
      // Those that match less well come after the others, unless another order was asked for.
      const { matching, unknown } = narrowed(query, sorted(query, found));
      const isSample = rows.length ? rows.some(({ source }) => source === SAMPLE) : await sampleInUse(db);
      return {
        places: matching.slice(0, query.maxResults).map(asPlace),
        attributions: attributionsOf(rows),
        sample: isSample,
        notices: [
          ...(isSample ? ['These are invented sample businesses in real UK towns, for trying Highstreet out.'] : []),
          ...notices,
          ...(matching.length > query.maxResults ? [MORE_MATCH] : []),
          ...unknown,
        ],
      };
    },
  };
}

/** The places around, only those with a price in the range and with opening hours where the source knows of any. */
async function placesInRange(db: Db, query: Around, isOpen: IsOpen) {
  const prices = pricesAsked(query) && (await pricesKnown(db, query));
  const withHours = query.openNow && (await hoursKnown(db, query));
  if (!prices && !withHours) return placesAround(db, query, query.maxResults + 1);
  const only = { withHours, ...(prices && { prices: { from: query.minPrice ?? 0, to: query.maxPrice ?? 4 } }) };
  const found = await placesAround(db, { ...query, ...only }, withHours ? MAX_LOOKED_AT : query.maxResults + 1);
  const told = found.rows.some(({ openingHours }) => !withHours || isOpen(openingHours) !== null);
  // None: because of what was asked for, or because what matches has no prices or hours at all?
  return told ? found : placesAround(db, query, MAX_LOOKED_AT);
}

const pricesAsked = ({ minPrice, maxPrice }: PlacesQuery) => (minPrice ?? 0) > 0 || (maxPrice ?? 4) < 4;

/** Only what is open, or in the price range; what the source says of no place narrows nothing, and is said. */
function narrowed(query: PlacesQuery, places: Found[]) {
  const { minPrice, maxPrice, openNow, sortBy } = query;
  const known = (field: 'rating' | 'priceLevel' | 'openNow') =>
    places.length === 0 || places.some((place) => place[field] !== null);
  const inRange = ({ priceLevel }: Found) =>
    priceLevel !== null && priceLevel >= (minPrice ?? 0) && priceLevel <= (maxPrice ?? 4);
  const open = openNow && known('openNow') ? places.filter((place) => place.openNow) : places;
  return {
    matching: pricesAsked(query) && known('priceLevel') ? open.filter(inRange) : open,
    unknown: [
      ...(openNow && !known('openNow') ? ['This source has no opening hours, so all are shown.'] : []),
      ...(pricesAsked(query) && !known('priceLevel') ? ['This source has no prices to filter by.'] : []),
      ...(sortBy === 'rating' && !known('rating') ? ['This source has no ratings to sort by.'] : []),
    ],
  };
}

function attributionsOf(rows: Row[]) {
  if (rows.some(({ source }) => source === 'overture')) {
    return [{ text: 'Overture Maps Foundation', url: 'https://overturemaps.org' }];
  }
  return [];
}

function asPlace(row: Found): Place {
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
