import { mulberry, samplePlaces } from '#server/places/sample/sample.ts';
import { type OverturePlace, overtureFile, wkbPoint } from '#server/testing/parquet.ts';

const ROW_GROUP = 20_000;
const SAMPLE = [...samplePlaces()];
const VILLAGES = ['Upper', 'Lower', 'Great', 'Little'];

/** A village that the list of locations does not have: a search has to find it in the places themselves. */
export const villageNear = (nth: number) => `${VILLAGES[nth % VILLAGES.length]} ${SAMPLE[nth % SAMPLE.length]?.town}by`;

/** Writes a GeoParquet file of so many places, in memory one row group at a time; the same places every time. */
export async function writePlacesFile(file: string, count: number): Promise<void> {
  const parquet = overtureFile(file);
  for (let start = 0; start < count; start += ROW_GROUP) {
    const length = Math.min(ROW_GROUP, count - start);
    await parquet.write(Array.from({ length }, (_, nth) => buildPlace(start + nth)));
  }
  await parquet.end();
}

/** The sample's places again and again, each time at other coordinates and with another number in its name. */
function buildPlace(nth: number): OverturePlace {
  const random = mulberry(nth);
  const place = SAMPLE[nth % SAMPLE.length] as (typeof SAMPLE)[number];
  // Dense in the centre, sparse outside.
  const offset = () => (random() + random() + random() - 1.5) * 0.08;
  const [latitude, longitude] = [place.latitude + offset(), place.longitude + 1.6 * offset()];
  const [category = ''] = place.categories;
  return {
    id: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
    geometry: wkbPoint(longitude, latitude),
    bbox: { xmin: longitude, xmax: longitude, ymin: latitude, ymax: latitude },
    names: { primary: `${place.name} ${Math.floor(nth / SAMPLE.length)}` },
    basic_category: category,
    taxonomy: { primary: category, hierarchy: place.categories },
    confidence: 0.5 + random() / 2,
    operating_status: random() < 0.98 ? 'open' : 'temporarily_closed',
    websites: place.website ? [place.website] : null,
    emails: place.email ? [place.email] : null,
    phones: place.phone ? [place.phone] : null,
    addresses: [
      {
        freeform: place.address,
        locality: nth % 8 ? place.town : villageNear(nth),
        postcode: place.postcode,
        country: 'GB',
      },
    ],
  };
}
