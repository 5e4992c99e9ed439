import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { parseTown } from '#contract/leads/town.ts';
import { toWebsite } from '#contract/leads/website.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads, users } from '#server/kit/db/schema.ts';
import type { Place } from '#server/places/places.ts';

interface Change {
  column: string;
  value: string;
}

const fresh = (column: string): Change => ({ column, value: `excluded.${column}` });
const kept = (column: string): Change => ({ column, value: `coalesce(excluded.${column}, businesses.${column})` });
const unlessTyped = (column: string): Change => ({
  column,
  value: `case when businesses.${column}_typed then businesses.${column} else ${kept(column).value} end`,
});

/** What a later search may change. What somebody typed stays, and what a source leaves out is not lost. */
const CHANGES = {
  name: fresh('name'),
  formattedAddress: kept('formatted_address'),
  vicinity: kept('vicinity'),
  town: kept('town'),
  phone: unlessTyped('phone'),
  internationalPhone: kept('international_phone'),
  website: unlessTyped('website'),
  googleMapsUrl: kept('google_maps_url'),
  rating: fresh('rating'),
  userRatingsTotal: fresh('user_ratings_total'),
  priceLevel: fresh('price_level'),
  businessStatus: fresh('business_status'),
  types: fresh('types'),
  openNow: fresh('open_now'),
  latitude: kept('latitude'),
  longitude: kept('longitude'),
  photoReferences: fresh('photo_references'),
  icon: fresh('icon'),
  ownerName: kept('owner_name'),
};

const all = Object.values(CHANGES);
const CHANGED = sql.raw(
  `(${all.map(({ column }) => `businesses.${column}`)}) is distinct from (${all.map(({ value }) => value)})`,
);
const SET: Record<string, SQL> = {
  ...Object.fromEntries(Object.entries(CHANGES).map(([key, { value }]) => [key, sql.raw(value)])),
  updatedAt: sql`now()`,
};

const columns = {
  id: businesses.id,
  placeId: businesses.placeId,
  phone: businesses.phone,
  internationalPhone: businesses.internationalPhone,
  website: businesses.website,
};

/** Stores what was found and is new or has changed, and gives back what is now known of each, by place. */
export async function storeFound(db: Db, found: Place[]) {
  if (!found.length) return new Map<string, never>();
  // In the order of ids, so that two searches with the same results wait for each other instead of colliding.
  const rows = [...found]
    .sort((a, b) => (a.placeId < b.placeId ? -1 : 1))
    .map(({ town, ...place }) => ({ ...place, town: town ?? parseTown(place.formattedAddress) }));
  const written = await db
    .insert(businesses)
    .values(rows)
    .onConflictDoUpdate({ target: businesses.placeId, set: SET, setWhere: CHANGED })
    .returning(columns);
  const places = new Set(written.map(({ placeId }) => placeId));
  const same = rows.map(({ placeId }) => placeId).filter((placeId) => !places.has(placeId));
  const unchanged = same.length
    ? await db.select(columns).from(businesses).where(inArray(businesses.placeId, same))
    : [];
  return new Map([...written, ...unchanged].map((row) => [row.placeId, { ...row, website: toWebsite(row.website) }]));
}

/** Every lead on these businesses, with its holder. */
export async function leadsOn(db: Db, businessIds: number[]) {
  if (!businessIds.length) return [];
  return db
    .select({
      id: leads.id,
      uuid: leads.uuid,
      userId: leads.userId,
      businessId: leads.businessId,
      status: leads.status,
      archived: leads.archived,
      existingCustomer: leads.existingCustomer,
      assignedAt: leads.assignedAt,
      holder: { id: users.id, username: users.username, fullName: users.fullName },
    })
    .from(leads)
    .innerJoin(users, eq(users.id, leads.userId))
    .where(inArray(leads.businessId, businessIds))
    .orderBy(leads.id);
}

/** The chosen businesses that this person may export: an imported one only admins and its holders. */
export async function exportable(db: Db, placeIds: string[], viewer: Viewer) {
  const { placeId, imported } = businesses;
  const held = sql`exists (select from user_businesses l where l.business_id = ${businesses.id} and l.user_id = ${viewer.id})`;
  return db
    .select({
      placeId,
      name: businesses.name,
      formattedAddress: businesses.formattedAddress,
      town: businesses.town,
      phone: businesses.phone,
      internationalPhone: businesses.internationalPhone,
      website: businesses.website,
      rating: businesses.rating,
      userRatingsTotal: businesses.userRatingsTotal,
      priceLevel: businesses.priceLevel,
      businessStatus: businesses.businessStatus,
      types: businesses.types,
      ownerName: businesses.ownerName,
      googleMapsUrl: businesses.googleMapsUrl,
      latitude: businesses.latitude,
      longitude: businesses.longitude,
    })
    .from(businesses)
    .where(and(inArray(placeId, placeIds), viewer.role === 'admin' ? undefined : or(eq(imported, false), held)));
}
