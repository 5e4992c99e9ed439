import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { sorted } from './gather.ts';
import { gbPhone } from './gb-phone.ts';
import { loadSample, SAMPLE, sampleInUse } from './load-sample.ts';
import { middleOf, placesAround, type FoundRow as Row } from './local.sql.ts';
import { mapsSearchUrl } from './maps-url.ts';
import { isOpen } from './opening-hours.ts';
import { MORE_MATCH, type Place, type PlacesProvider } from './places.ts';
import { locationUnknown } from './refusals.ts';

// Opening hours are read here, not in the database, so more rows are fetched than are shown.
const MOST_LOOKED_AT = 1_000;

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
      const most = query.openNow ? MOST_LOOKED_AT : query.maxResults + 1;
      const { rows, notices } = await placesAround(db, { ...query, centre }, most);
      const found = rows.map((row) => asPlace(row, isOpen(row.openingHours, clock(), timeZone)));
      // Those that match less well come after the others, unless another order was asked for.
      const all = sorted(query, found);
      const matching = query.openNow ? all.filter(({ openNow }) => openNow) : all;
      const isSample = rows.length ? rows.some(({ source }) => source === SAMPLE) : await sampleInUse(db);
      return {
        places: matching.slice(0, query.maxResults),
        attributions: attributionsOf(rows),
        sample: isSample,
        notices: [
          ...(isSample ? ['These are invented sample businesses in real UK towns, for trying Highstreet out.'] : []),
          ...notices,
          ...(matching.length > query.maxResults ? [MORE_MATCH] : []),
          ...(rows.length > 0 && query.sortBy === 'rating' && rows.every(({ rating }) => rating === null)
            ? ['This source has no ratings to sort by.']
            : []),
        ],
      };
    },
  };
}

function attributionsOf(rows: Row[]) {
  if (rows.some(({ source }) => source === 'overture')) {
    return [{ text: 'Overture Maps Foundation', url: 'https://overturemaps.org' }];
  }
  return [];
}

function asPlace(row: Row, openNow: boolean | null): Place {
  const phone = gbPhone(row.phone);
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
    openNow,
    types: row.categories,
    latitude: row.latitude,
    longitude: row.longitude,
    icon: null,
    photoReferences: [],
    ownerName: null,
  };
}
