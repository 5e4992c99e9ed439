import { createHash, randomUUID } from 'node:crypto';
import { and, eq, isNull, notExists, sql } from 'drizzle-orm';
import type { Query } from '#contract/call.ts';
import { metresBetween } from '#contract/geo.ts';
import {
  type listUnassigned as listUnassignedCall,
  MAX_UNASSIGNED,
  type NewBusiness,
} from '#contract/leads/adding/adding.calls.ts';
import { toTypeColumns } from '#server/business-types/classify-business.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findDistrictOf } from '#server/places/district-area.ts';
import { findTownOf } from '#server/places/district-town.ts';
import { toStoredType } from '#server/places/find-type.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { territoryDistricts } from '#server/schema/territories.ts';
import { users } from '#server/schema/users.ts';

/** Of a position further from every district, none is known: it is not in the country. */
const MAX_METRES = 40_000;

type Typed = Pick<NewBusiness, 'name' | 'businessType' | 'phone' | 'postcode' | 'position' | 'website'>;

/** The columns of a business that a person typed. */
export function toBusiness(typed: Typed) {
  const { name, businessType, phone, website, position } = typed;
  const { postcode, district } = locate(typed);
  const town = district ? findTownOf(district) : null;
  const hasStreet = postcode.includes(' ');
  return {
    placeId: toPlaceId(typed),
    name,
    // A district alone is an address, too: it says where the lead belongs.
    formattedAddress: (hasStreet && town ? `${town} ${postcode}` : postcode) || null,
    town,
    phone: phone || null,
    phoneTyped: phone !== '',
    website: website || null,
    websiteTyped: website !== '',
    types: businessType ? [toStoredType(businessType)] : [],
    ...toTypeColumns({ types: businessType ? [businessType] : [], name }),
    latitude: position?.latitude ?? district?.latitude ?? null,
    longitude: position?.longitude ?? district?.longitude ?? null,
    positionApproximate: !position && district !== undefined,
    // As with a file: others than its holders see of it what a provider knows.
    imported: true,
  };
}

/** The postcode as it was typed, or the district of the position. */
function locate({ postcode, position }: Typed) {
  const address = postcode.includes(' ') || !postcode ? postcode : `${postcode} 1AA`;
  const { latitude = null, longitude = null } = position ?? {};
  const found = findDistrictOf({ formattedAddress: address || null, latitude, longitude });
  if (postcode) return { postcode, district: found };
  const district = found && position && metresBetween(position, found) <= MAX_METRES ? found : undefined;
  return { postcode: district?.code ?? '', district };
}

/** Derived from name and place, so that what was added and taken back is not stored twice. */
function toPlaceId({ name, postcode, position }: Typed): string {
  const place = postcode.includes(' ')
    ? postcode
    : position && [position.latitude, position.longitude].map((degrees) => degrees.toFixed(3)).join(' ');
  if (!place) return `hand:${randomUUID()}`;
  const normalized = name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  return `hand:${createHash('sha256').update(`${normalized}\n${place}`).digest('base64url').slice(0, 32)}`;
}

/** A guess does not replace what a source or a person said. */
const UNLESS_KNOWN = {
  type: sql`case when businesses.type_guessed then excluded.type else businesses.type end`,
  typeGuessed: sql`businesses.type_guessed`,
};

/** Stores a business, and returns its id and its district. One with a lead stays as it is. */
export async function storeBusiness(tx: Db, business: ReturnType<typeof toBusiness>) {
  const { placeId: _, ...values } = business;
  await tx
    .insert(businesses)
    .values(business)
    .onConflictDoUpdate({
      target: businesses.placeId,
      set: { ...values, ...(values.typeGuessed && UNLESS_KNOWN), updatedAt: sql`now()` },
      setWhere: sql`businesses.merged_into is null
        and not exists (select from user_businesses l where l.business_id = businesses.id)`,
    });
  const [stored] = await tx
    .select({ id: businesses.id, district: businesses.district })
    .from(businesses)
    .where(eq(businesses.placeId, business.placeId));
  if (!stored) throw new Error('The business was not written');
  return stored;
}

export async function readDistrict(db: Db, businessId: number): Promise<string | null> {
  const [business] = await db
    .select({ district: businesses.district })
    .from(businesses)
    .where(eq(businesses.id, businessId));
  return business?.district ?? null;
}

/** The districts of a user. */
export async function readTerritory(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .select({ district: territoryDistricts.district })
    .from(territoryDistricts)
    .where(eq(territoryDistricts.userId, userId));
  return rows.map(({ district }) => district);
}

/** How many leads the user has made since then that are still there, whoever holds them now. */
export async function countAdded(db: Db, userId: number, since: Date): Promise<number> {
  const { rows } = await db.execute<{ added: number }>(sql`
    select count(*)::int as added from assignment_history
    where changed_by = ${userId} and changed_at >= ${since.toISOString()}::timestamptz and initial`);
  return rows[0]?.added ?? 0;
}

/** Businesses of a district without a lead, as providers know them, and whether there are more. */
export async function listUnassigned(db: Db, { district, type }: Query<typeof listUnassignedCall>) {
  const found = await db
    .select({
      ...{ id: businesses.id, name: businesses.name, type: businesses.type },
      formattedAddress: businesses.formattedAddress,
    })
    .from(businesses)
    .where(
      and(
        eq(businesses.district, district),
        type === undefined ? undefined : eq(businesses.type, type),
        isNull(businesses.mergedInto),
        // Of files and by hand: what they say is for those who hold the lead.
        eq(businesses.imported, false),
        sql`${businesses.businessStatus} is distinct from 'CLOSED_PERMANENTLY'`,
        notExists(db.select({ one: sql`1` }).from(leads).where(eq(leads.businessId, businesses.id))),
      ),
    )
    .orderBy(businesses.name, businesses.id)
    .limit(MAX_UNASSIGNED + 1);
  return { businesses: found.slice(0, MAX_UNASSIGNED), hasMore: found.length > MAX_UNASSIGNED };
}

/** Who work this business, by name. */
export async function listHolderNames(db: Db, businessId: number): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select coalesce(nullif(holder.full_name, ''), holder.username) as name
    from user_businesses lead join ${users} holder on holder.id = lead.user_id
    where lead.business_id = ${businessId} order by lead.id`);
  return rows.map(({ name }) => name);
}
