import { and, eq, type SQL, sql } from 'drizzle-orm';
import { IDENTIFIERS, type UpsertItem } from '#contract/import/upsert.ts';
import type { Db } from '#server/kit/db/db.ts';
import { isJoinedLead } from '#server/leads/merged-rows.sql.ts';
import { externalIds } from '#server/schema/external-ids.ts';

/** The lead that a source calls so. */
export async function findExternal(tx: Db, source: string, externalId: string): Promise<number | undefined> {
  const [found] = await tx
    .select({ leadId: externalIds.userBusinessId })
    .from(externalIds)
    .where(and(eq(externalIds.source, source), eq(externalIds.externalId, externalId)));
  return found?.leadId;
}

/** Remembers what a source calls leads; nothing where an id leads to one already. */
export async function linkExternal(
  tx: Db,
  source: string | undefined,
  named: { leadId: number; externalId: string | undefined }[],
) {
  const links = named.flatMap(({ leadId, externalId }) =>
    source && externalId !== undefined ? [{ source, externalId, userBusinessId: leadId }] : [],
  );
  if (links.length) await tx.insert(externalIds).values(links).onConflictDoNothing();
}

/** The items without a lead or business that they name. */
export async function listUnknown(tx: Db, source: string | undefined, items: UpsertItem[]): Promise<UpsertItem[]> {
  const { rows } = await tx.execute<{ kind: string; name: string }>(sql`
    select 'externalId' as kind, external_id as name from external_ids
      where source = ${source ?? ''} and external_id = ${listed(items, 'externalId', sql`text[]`)}
    union all select 'uuid', uuid::text from user_businesses where uuid = ${listed(items, 'uuid', sql`uuid[]`)}
    union all select 'uuid', before ->> 'uuid' from merged_rows
      where ${isJoinedLead} and before ->> 'uuid' = ${listed(items, 'uuid', sql`text[]`)}
    union all select 'placeId', place_id from businesses where place_id = ${listed(items, 'placeId', sql`text[]`)}`);
  const known = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
  return items.filter((item) => !IDENTIFIERS.some((key) => known.has(`${key} ${item[key]}`)));
}

/**
 * Two requests at once wait for each other: neither makes what the other is making. The leads that are named are locked in
 * the order of their ids, as bulk changes do.
 */
export async function lockNamed(tx: Db, source: string | undefined, items: UpsertItem[]) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('upsert of leads', 0))`);
  await tx.execute(sql`
    select lead.id from user_businesses lead where lead.id in (
      select id from user_businesses where uuid = ${listed(items, 'uuid', sql`uuid[]`)}
      union select user_business_id from external_ids
        where source = ${source ?? ''} and external_id = ${listed(items, 'externalId', sql`text[]`)}
      union select l.id from user_businesses l join businesses b on l.business_id = coalesce(b.merged_into, b.id)
        where b.place_id = ${listed(items, 'placeId', sql`text[]`)})
    order by lead.id for update`);
}

const listed = (items: UpsertItem[], key: (typeof IDENTIFIERS)[number], type: SQL) =>
  sql`any (${sql.param(items.flatMap((item) => item[key] ?? []))}::${type})`;
