import { and, eq, inArray, sql } from 'drizzle-orm';
import type { LeadStatus } from '#contract/leads/lead.ts';
import type { PlacedRow, RowOutcome } from '#server/import/run/import-rows.ts';
import type { Db } from '#server/kit/db/db.ts';
import { importAssignees, importMatches } from '#server/schema/imports.ts';
import { leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

/** The stored businesses of these places, by place; of a merged one, the business that was kept. */
export async function findStoredPlaces(db: Db, placeIds: string[]): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ id: number; place_id: string }>(sql`
    select coalesce(merged_into, id) as id, place_id from businesses
    where place_id in (select value from json_array_elements_text(${JSON.stringify(placeIds)}::json))`);
  return new Map(rows.map((row) => [row.place_id, row.id]));
}

/** Which of these would be no new leads: see insertLeads. */
export async function findExistingLeads(db: Db, leads: { businessId: number; userId: number }[]): Promise<Set<number>> {
  if (!leads.length) return new Set();
  const source = leads.map(({ businessId, userId }, position) => ({
    position,
    business_id: businessId,
    user_id: userId,
  }));
  const { rows } = await db.execute<{ position: number }>(sql`
    select position from json_to_recordset(${JSON.stringify(source)}::json)
      as source (position integer, business_id integer, user_id integer)
    where exists (
      select from user_businesses l where l.business_id = source.business_id and (l.user_id = source.user_id or exists (
        select from assignment_history h
        where h.user_business_id = l.id and h.initial and h.new_user_id = source.user_id)))`);
  return new Set(rows.map(({ position }) => position));
}

export async function findNewTags(db: Db, tags: string[]): Promise<string[]> {
  if (!tags.length) return [];
  const { rows } = await db.execute<{ name: string }>(sql`
    select value as name from json_array_elements_text(${JSON.stringify(tags)}::json)
    except select name from lead_tags`);
  return rows.map(({ name }) => name);
}

export interface Holder {
  userId: number;
  name: string;
  status: LeadStatus;
}

/** Who works these businesses, by business, the first holder first. An archived lead is not worked. */
export async function findHolders(db: Db, businessIds: number[]): Promise<Map<number, Holder[]>> {
  const found = new Map<number, Holder[]>();
  if (!businessIds.length) return found;
  const rows = await db
    .select({
      businessId: leads.businessId,
      userId: leads.userId,
      name: sql<string>`coalesce(nullif(${users.fullName}, ''), ${users.username})`,
      status: leads.status,
    })
    .from(leads)
    .innerJoin(users, eq(users.id, leads.userId))
    .where(and(inArray(leads.businessId, businessIds), eq(leads.archived, false)))
    .orderBy(leads.id);
  for (const { businessId, ...holder } of rows) found.set(businessId, [...(found.get(businessId) ?? []), holder]);
  return found;
}

/** What was decided about a row that does not simply become a new lead. */
export interface DecidedMatch {
  row: number;
  businessId: number | null;
  leftOut: boolean;
  repeated: boolean;
}

export async function insertMatches(tx: Db, importId: string, matches: DecidedMatch[]) {
  if (matches.length) await tx.insert(importMatches).values(matches.map((match) => ({ importId, ...match })));
}

export async function insertAssignees(tx: Db, importId: string, assignees: { row: number; userId: number }[]) {
  if (assignees.length) await tx.insert(importAssignees).values(assignees.map((each) => ({ importId, ...each })));
}

/** Before a file is checked again. */
export async function deleteFindings(tx: Db, importId: string) {
  await tx.delete(importMatches).where(eq(importMatches.importId, importId));
  await tx.delete(importAssignees).where(eq(importAssignees.importId, importId));
}

/** The users whom the dry run chose for these rows, by row. */
export async function findAssignees(db: Db, importId: string, rows: number[]): Promise<Map<number, number>> {
  if (!rows.length) return new Map();
  const { row, userId } = importAssignees;
  const found = await db
    .select({ row, userId })
    .from(importAssignees)
    .where(and(eq(importAssignees.importId, importId), inArray(row, rows)));
  return new Map(found.map((each) => [each.row, each.userId]));
}

/** Whether one of the users whom the dry run chose is no longer active, or deleted. */
export async function hasInactiveAssignee(db: Db, importId: string, afterRow: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from import_assignees a
    where a.import_id = ${importId} and a.row > ${afterRow} and not exists (select from users u where u.id = a.user_id and u.active)
    limit 1`);
  return rows.length > 0;
}

/** What the dry run decided about these rows, by row. A row's own business comes first if it exists by now. */
export async function findDecided(db: Db, importId: string, rows: PlacedRow[]): Promise<Map<number, RowOutcome>> {
  if (!rows.length) return new Map();
  const source = rows.map(({ row, placeId }) => ({ row, place_id: placeId }));
  const { rows: found } = await db.execute<{
    row: number;
    place_id: string | null;
    left_out: boolean;
    repeated: boolean;
  }>(
    sql`
    select m.row, b.place_id, m.left_out, m.repeated
    from json_to_recordset(${JSON.stringify(source)}::json) as source (row integer, place_id text)
    join import_matches m on m.import_id = ${importId} and m.row = source.row
    left join businesses b on b.id = m.business_id
      and not exists (select from businesses own where own.place_id = source.place_id)`,
  );
  return new Map(
    found.map((each) => [
      each.row,
      { placeId: each.place_id ?? undefined, leftOut: each.left_out, repeated: each.repeated },
    ]),
  );
}
