import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { isWrongPhone } from '#contract/leads/phone.ts';
import { parseTown } from '#contract/leads/town.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import type { Viewer } from '#contract/users/user.ts';
import { toTypeColumns } from '#server/business-types/classify-business.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Place } from '#server/places/places.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

/** How an existing row is updated: `excluded` is the place that was found, `businesses` the stored row. */
interface ColumnUpdate {
  column: string;
  value: string;
}

const overwrite = (column: string): ColumnUpdate => ({ column, value: `excluded.${column}` });
const keepIfMissing = (column: string): ColumnUpdate => ({
  column,
  value: `coalesce(excluded.${column}, businesses.${column})`,
});
const keepIfTyped = (column: string): ColumnUpdate => ({
  column,
  value: `case when businesses.${column}_typed then businesses.${column} else ${keepIfMissing(column).value} end`,
});

const keepUnlessGuessed = (column: string, value: string): ColumnUpdate => ({
  column,
  value: `case when businesses.type_guessed then ${value} else businesses.${column} end`,
});

/** What a source or a person said stays. */
const TYPE_UPDATES = {
  type: keepUnlessGuessed('type', 'coalesce(excluded.type, businesses.type)'),
  typeGuessed: keepUnlessGuessed('type_guessed', 'excluded.type_guessed'),
};

/** Values that a user typed stay, and so do those that the provider no longer has. */
const COLUMN_UPDATES = {
  name: overwrite('name'),
  formattedAddress: keepIfMissing('formatted_address'),
  vicinity: keepIfMissing('vicinity'),
  town: keepIfMissing('town'),
  phone: keepIfTyped('phone'),
  internationalPhone: keepIfMissing('international_phone'),
  website: keepIfTyped('website'),
  googleMapsUrl: keepIfMissing('google_maps_url'),
  rating: overwrite('rating'),
  userRatingsTotal: overwrite('user_ratings_total'),
  priceLevel: overwrite('price_level'),
  businessStatus: overwrite('business_status'),
  types: overwrite('types'),
  ...TYPE_UPDATES,
  openNow: overwrite('open_now'),
  latitude: keepIfMissing('latitude'),
  longitude: keepIfMissing('longitude'),
  positionApproximate: {
    column: 'position_approximate',
    value: 'excluded.latitude is null and businesses.position_approximate',
  },
  photoReferences: overwrite('photo_references'),
  icon: overwrite('icon'),
  ownerName: keepIfMissing('owner_name'),
};

const updates = Object.values(COLUMN_UPDATES);
// The values of a merged business were chosen by a person.
const IS_UNMERGED =
  'businesses.merged_into is null and not exists (select from businesses merged where merged.merged_into = businesses.id)';
const IS_CHANGED = sql.raw(
  `${IS_UNMERGED} and (${updates.map(({ column }) => `businesses.${column}`)}) is distinct from (${updates.map(({ value }) => value)})`,
);
const SET: Record<string, SQL> = {
  ...Object.fromEntries(Object.entries(COLUMN_UPDATES).map(([key, { value }]) => [key, sql.raw(value)])),
  updatedAt: sql`now()`,
};

const columns = {
  id: businesses.id,
  placeId: businesses.placeId,
  phone: businesses.phone,
  wrongPhone: businesses.wrongPhone,
  internationalPhone: businesses.internationalPhone,
  website: businesses.website,
  imported: businesses.imported,
};

/** Inserts new places, updates changed ones, and returns the stored row of each by its place id. */
export async function storePlaces(db: Db, found: Place[]) {
  if (!found.length) return new Map<string, never>();
  // In the order of ids, so that two searches with the same results wait for each other instead of deadlocking.
  const rows = [...found]
    .sort((a, b) => (a.placeId < b.placeId ? -1 : 1))
    .map(({ town, ...place }) => ({
      ...place,
      ...toTypeColumns(place),
      town: town ?? parseTown(place.formattedAddress),
    }));
  const written = await db
    .insert(businesses)
    .values(rows)
    .onConflictDoUpdate({ target: businesses.placeId, set: SET, setWhere: IS_CHANGED })
    .returning(columns);
  const writtenIds = new Set(written.map(({ placeId }) => placeId));
  const unchangedIds = rows.map(({ placeId }) => placeId).filter((placeId) => !writtenIds.has(placeId));
  const unchanged = unchangedIds.length ? await readKept(db, unchangedIds) : [];
  return new Map(
    [...written.map((row) => ({ ...row, found: row.placeId })), ...unchanged].map(
      ({ wrongPhone, found: id, ...row }) => [
        id,
        {
          ...row,
          website: parseStoredWebsite(row.website),
          phoneIsWrong: isWrongPhone(row.phone, wrongPhone),
        },
      ],
    ),
  );
}

/** The business of each place: the one it was merged into, if it was. */
async function readKept(db: Db, placeIds: string[]) {
  const place = alias(businesses, 'place');
  return db
    .select({ ...columns, found: place.placeId })
    .from(place)
    .innerJoin(businesses, eq(businesses.id, sql`coalesce(${place.mergedInto}, ${place.id})`))
    .where(inArray(place.placeId, placeIds));
}

/** Every lead on these businesses, with its holder. */
export async function findLeadsOn(db: Db, businessIds: number[]) {
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

/** The businesses that the viewer may export: imported ones only admins and their holders. */
export async function findExportable(db: Db, placeIds: string[], viewer: Viewer) {
  const { imported } = businesses;
  const place = alias(businesses, 'place');
  const held = sql`exists (select from user_businesses l where l.business_id = ${businesses.id} and l.user_id = ${viewer.id})`;
  return db
    .select({
      requestedId: place.placeId,
      placeId: businesses.placeId,
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
      type: businesses.type,
      ownerName: businesses.ownerName,
      googleMapsUrl: businesses.googleMapsUrl,
      latitude: businesses.latitude,
      longitude: businesses.longitude,
    })
    .from(place)
    .innerJoin(businesses, eq(businesses.id, sql`coalesce(${place.mergedInto}, ${place.id})`))
    .where(and(inArray(place.placeId, placeIds), viewer.role === 'admin' ? undefined : or(eq(imported, false), held)));
}
