import { and, eq, inArray, sql } from 'drizzle-orm';
import { compareDistricts } from '#contract/territories/district-list.ts';
import type { Territory } from '#contract/territories/territory.ts';
import type { Db } from '#server/kit/db/db.ts';
import { territoryDistricts } from '#server/schema/territories.ts';

const { userId, district } = territoryDistricts;

/** Every active user, and inactive ones with a territory, by name. */
export async function listTerritories(db: Db): Promise<Territory[]> {
  const { rows } = await db.execute<Territory & Record<string, unknown>>(sql`
    select u.id as "userId", u.full_name as "fullName", u.username, u.active,
      coalesce(array_agg(t.district) filter (where t.district is not null), '{}') as districts
    from users u left join territory_districts t on t.user_id = u.id
    group by u.id having u.active or count(t.district) > 0
    order by lower(u.full_name), u.id`);
  return rows.map((row) => ({ ...row, districts: row.districts.sort(compareDistricts) }));
}

/** Of two changes at once the second sees what the first did. Reading is not blocked. */
export async function lockTerritories(tx: Db) {
  await tx.execute(sql`lock table territory_districts in share row exclusive mode`);
}

/** Returns those that the user did not have. */
export async function insertDistricts(tx: Db, to: number, districts: string[], setBy: number): Promise<string[]> {
  if (!districts.length) return [];
  const rows = await tx
    .insert(territoryDistricts)
    .values(districts.map((code) => ({ userId: to, district: code, setBy })))
    .onConflictDoNothing()
    .returning({ district });
  return rows.map((row) => row.district).sort(compareDistricts);
}

/** Returns those that the user had. */
export async function deleteDistricts(tx: Db, from: number, districts: string[]): Promise<string[]> {
  if (!districts.length) return [];
  const rows = await tx
    .delete(territoryDistricts)
    .where(and(eq(userId, from), inArray(district, districts)))
    .returning({ district });
  return rows.map((row) => row.district).sort(compareDistricts);
}
