import type { businesses } from '#server/kit/db/schema.ts';
import type { Random } from './random.ts';
import { TOWNS } from './towns.ts';

const KINDS = [
  { type: 'bakery', endings: ['Bakery', 'Bakehouse', 'Bread & Co'] },
  { type: 'cafe', endings: ['Café', 'Coffee House', 'Tea Room'] },
  { type: 'restaurant', endings: ['Kitchen', 'Bistro', 'Brasserie'] },
  { type: 'hair_care', endings: ['Hair Studio', 'Barbers', 'Salon'] },
  { type: 'florist', endings: ['Flowers', 'Florist'] },
  { type: 'car_repair', endings: ['Motors', 'Garage', 'Tyres & Exhausts'] },
  { type: 'dentist', endings: ['Dental Practice', 'Smile Clinic'] },
  { type: 'gym', endings: ['Fitness', 'Strength Club', 'Yoga Studio'] },
  { type: 'book_store', endings: ['Books', 'Bookshop'] },
  { type: 'plumber', endings: ['Plumbing & Heating', 'Boilers'] },
  { type: 'estate_agent', endings: ['Estates', 'Lettings'] },
  { type: 'veterinary_care', endings: ['Vets', 'Pet Clinic'] },
];
const NAMES = ['Blue Door', 'Copper Kettle', 'Old Mill', 'Red Lion Yard', 'Saltmarsh', 'Thornfield', 'Willow Bank'];
const MORE_NAMES = ['Ashdown', 'Bramble', 'Castle Gate', 'Dovecote', 'Elm Row', 'Foxglove', 'Granary', 'Harbour'];
const FAMILIES = [
  'Atkins',
  'Bellamy',
  'Chowdhury',
  'Dunmore',
  'Eastwood',
  'Fairley',
  'Gallagher',
  'Hussain',
  'Ibbotson',
];
const STREETS = [
  'High Street',
  'Market Place',
  'Church Street',
  'Station Road',
  'Mill Lane',
  'Bridge Street',
  'The Parade',
];

export type DemoBusiness = typeof businesses.$inferInsert & { name: string; town: string; email: string };

/** An invented business. Addresses under .example and the phone numbers reach nobody. */
export function demoBusiness(nth: number, imported: boolean, { pick, whole, between, chance }: Random): DemoBusiness {
  const town = pick(TOWNS);
  const kind = pick(KINDS);
  const own = chance(0.35)
    ? `${pick(FAMILIES)} & ${pick(['Sons', 'Daughters', 'Partners'])}`
    : pick([...NAMES, ...MORE_NAMES]);
  const name = `${own} ${pick(kind.endings)}`;
  const address = `${whole(1, 140)} ${pick(STREETS)}, ${town.name} ${town.postcode} ${whole(1, 9)}${pick(['AB', 'DE', 'HJ', 'LN', 'PQ', 'RS', 'TU'])}, UK`;
  const host = `${name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '-')}-${nth}.example`;
  const mapped = !imported || chance(0.5);
  const rated = !imported && chance(0.85);
  return {
    placeId: `demo-${String(nth).padStart(4, '0')}`,
    name,
    formattedAddress: address,
    vicinity: town.name,
    town: town.name,
    // 01632 960000 to 960999 are set aside for fiction.
    phone: chance(0.9) ? `01632 960${String(whole(0, 999)).padStart(3, '0')}` : null,
    website: chance(0.7) ? `https://www.${host}` : null,
    googleMapsUrl: imported
      ? null
      : `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(`${name}, ${address}`)}`,
    rating: rated ? Math.round(between(3.2, 5) * 10) / 10 : null,
    userRatingsTotal: rated ? whole(3, 640) : null,
    priceLevel: chance(0.5) ? whole(1, 3) : null,
    businessStatus: 'OPERATIONAL',
    types: [kind.type, 'establishment'],
    latitude: mapped ? town.latitude + between(-0.02, 0.02) : null,
    longitude: mapped ? town.longitude + between(-0.03, 0.03) : null,
    ownerName: chance(0.2) ? `${pick(['Anna', 'David', 'Farah', 'George', 'Meera'])} ${pick(FAMILIES)}` : null,
    imported,
    email: `hello@${host}`,
  };
}
