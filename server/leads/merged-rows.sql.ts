import { isDeepStrictEqual } from 'node:util';
import { type SQL, sql } from 'drizzle-orm';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { Db } from '#server/kit/db/db.ts';

/** A row as JSON, without the columns that triggers and the database fill. */
export type Row = Record<string, unknown>;

export interface StoredRow {
  table: MergedTable;
  id: number;
  /** The lead that the row belongs to after the merge; null for what belongs to a business. */
  leadId: number | null;
  before: Row | null;
  after: Row | null;
}

/** What a merge reads and writes. */
interface MergeScope {
  businessIds: number[];
  leadIds: number[];
  holderIds: number[];
}

interface TableRows {
  id: string;
  /** The column with the lead that a row belongs to. */
  lead?: string;
  where: (scope: MergeScope) => SQL;
}

const ints = (ids: number[]) => sql`${sql.param(ids)}::int[]`;
const ofLeads: TableRows = {
  id: 'id',
  lead: 'user_business_id',
  where: ({ leadIds }) => sql`user_business_id = any (${ints(leadIds)})`,
};

/** The tables whose rows a merge changes, in the order in which rows are restored: each after those it references. */
const TABLES = {
  businesses: {
    id: 'id',
    where: ({ businessIds: ids }) => sql`id = any (${ints(ids)}) or merged_into = any (${ints(ids)})`,
  },
  user_businesses: { id: 'id', lead: 'id', where: ({ leadIds }) => sql`id = any (${ints(leadIds)})` },
  contact_activities: ofLeads,
  lead_comments: ofLeads,
  assignment_history: ofLeads,
  lead_note_revisions: ofLeads,
  external_ids: ofLeads,
  contact_credits: {
    id: 'lead_id',
    lead: 'lead_id',
    where: ({ leadIds }) => sql`lead_id = any (${ints(leadIds)})`,
  },
  notifications: {
    id: 'id',
    lead: 'related_user_business_id',
    where: ({ leadIds, holderIds }) => sql`related_user_business_id = any (${ints(leadIds)})
      or user_id = any (${ints(holderIds)}) and lead_ids && ${ints(leadIds)}`,
  },
  changes: { id: 'id', lead: 'lead_id', where: ({ leadIds }) => sql`lead_id = any (${ints(leadIds)})` },
  duplicate_pairs: {
    id: 'id',
    where: ({ businessIds: ids }) => sql`business_id = any (${ints(ids)}) or other_id = any (${ints(ids)})`,
  },
} satisfies Record<string, TableRows>;

export type MergedTable = keyof typeof TABLES;
export const MERGED_TABLES = Object.keys(TABLES) as MergedTable[];

/** Generated, or copied from the business by a trigger. */
const DERIVED =
  "'{business_name,search_name,search_town,has_phone,has_website,has_email,district,business_type,find_text,note_words}'::text[]";
const readJson = (table: MergedTable) =>
  sql.raw(`to_jsonb(t) - ${DERIVED}${table === 'user_businesses' ? " - '{town,imported}'::text[]" : ''}`);

/** The rows of a merge as they are now, by table and id. */
export async function captureRows(tx: Db, scope: MergeScope): Promise<Map<string, CapturedRow>> {
  const rows = new Map<string, CapturedRow>();
  for (const table of MERGED_TABLES) {
    for (const captured of await readRows(tx, table, TABLES[table].where(scope))) {
      rows.set(`${table} ${captured.id}`, captured);
    }
  }
  return rows;
}

interface CapturedRow {
  table: MergedTable;
  id: number;
  row: Row;
}

async function readRows(tx: Db, table: MergedTable, where: SQL): Promise<CapturedRow[]> {
  // Moments as JSON have the offset of the session's time zone.
  await tx.execute(sql`set local time zone 'UTC'`);
  const { rows } = await tx.execute<{ id: string; row: Row }>(sql`
    select ${sql.raw(TABLES[table].id)} as id, ${readJson(table)} as row from ${sql.raw(table)} t where ${where}`);
  return rows.map(({ id, row }) => ({ table, id: Number(id), row }));
}

/** Stores the rows that differ. `toLead` maps a lead to the one that it is part of after the merge. */
export async function storeDifferences(
  tx: Db,
  batchId: string,
  [before, after]: [Map<string, CapturedRow>, Map<string, CapturedRow>],
  toLead: (leadId: number) => number,
) {
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    const { table, id, row } = (now ?? old) as CapturedRow;
    if (isDeepStrictEqual(old?.row, now?.row)) return [];
    const { lead }: TableRows = TABLES[table];
    const leadId = lead === undefined || row[lead] === null ? null : toLead(Number(row[lead]));
    return { table_name: table, row_id: id, lead_id: leadId, before: old?.row ?? null, after: now?.row ?? null };
  });
  await tx.execute(sql`
    insert into merged_rows (batch_id, table_name, row_id, lead_id, before, after)
    select ${batchId}::uuid, * from json_to_recordset(${JSON.stringify(changed)}::json)
      as row (table_name text, row_id bigint, lead_id integer, before jsonb, after jsonb)`);
}

/** The row of a lead that a merge joined into another one. */
export const isJoinedLead = sql`table_name = 'user_businesses' and after is null`;

/** The lead that a deleted one was joined into. */
export async function findJoinedLead(db: Db, leadRef: LeadRef): Promise<{ uuid: string; userId: number } | undefined> {
  const { rows } = await db.execute<{ uuid: string; userId: number }>(selectJoinedLead(leadRef));
  return rows[0];
}

export function selectJoinedLead(leadRef: LeadRef): SQL {
  const matches = 'id' in leadRef ? sql`row_id = ${leadRef.id}` : sql`before ->> 'uuid' = ${leadRef.uuid}`;
  return sql`
    select lead.uuid, lead.user_id as "userId"
    from merged_rows merged join user_businesses lead on lead.id = merged.lead_id
    where ${isJoinedLead} and ${matches}
      and not exists (select from change_batches undo where undo.undoes = merged.batch_id)
    limit 1`;
}

/** The rows of earlier merges belong to the restored leads again. */
export const returnEarlierMerges = (tx: Db, batchId: string) =>
  tx.execute(sql`
    update merged_rows earlier set lead_id = joined.row_id
    from merged_rows joined join user_businesses lead on lead.id = joined.row_id
    where joined.batch_id = ${batchId} and joined.table_name = 'user_businesses' and joined.after is null
      and earlier.lead_id = joined.lead_id and earlier.batch_id <> joined.batch_id
      and exists (
        select from merged_rows kept where kept.batch_id = earlier.batch_id
          and kept.table_name = 'user_businesses' and kept.row_id = joined.row_id and kept.after is not null)`);

export async function readStoredRows(db: Db, batchId: string): Promise<StoredRow[]> {
  const { rows } = await db.execute<{ table_name: MergedTable; row_id: string; lead_id: number | null } & Row>(sql`
    select table_name, row_id, lead_id, before, after from merged_rows where batch_id = ${batchId} order by table_name, row_id`);
  return rows.map(({ table_name, row_id, lead_id, before, after }) => ({
    table: table_name,
    id: Number(row_id),
    leadId: lead_id,
    before: before as Row | null,
    after: after as Row | null,
  }));
}

/** These rows as they are now, by table and id. */
export async function readCurrentRows(tx: Db, stored: StoredRow[]): Promise<Map<string, Row>> {
  const current = new Map<string, Row>();
  for (const table of MERGED_TABLES) {
    const ids = stored.filter((row) => row.table === table).map(({ id }) => id);
    if (!ids.length) continue;
    const where = sql`${sql.raw(TABLES[table].id)} = any (${sql.param(ids)}::bigint[])`;
    for (const { id, row } of await readRows(tx, table, where)) current.set(`${table} ${id}`, row);
  }
  return current;
}

/** Writes the given columns of each row; the rows of one call have the same columns. */
export async function updateRows(tx: Db, table: MergedTable, columns: string[], rows: { id: number; row: Row }[]) {
  const key = TABLES[table].id;
  const sets = columns.map((column) => `${quote(column)} = source.${quote(column)}`).join(', ');
  await tx.execute(sql`
    update ${sql.raw(table)} t set ${sql.raw(sets)}
    from jsonb_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(rows.map(({ row }) => row))}::jsonb)
      with ordinality source
    join unnest(${sql.param(rows.map(({ id }) => id))}::bigint[]) with ordinality as ids (id, ordinality) using (ordinality)
    where t.${sql.raw(key)} = ids.id`);
}

/** Inserts deleted rows again. One that would be a second open follow-up of its lead is left out. */
export async function insertRows(tx: Db, table: MergedTable, rows: Row[]) {
  const columns = Object.keys(rows[0] ?? {})
    .map(quote)
    .join(', ');
  await tx.execute(sql`
    insert into ${sql.raw(table)} (${sql.raw(columns)})
    select ${sql.raw(columns)} from jsonb_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing`);
}

export const deleteRows = (tx: Db, table: MergedTable, ids: number[]) =>
  tx.execute(sql`delete from ${sql.raw(table)} where ${sql.raw(TABLES[table].id)} = any (${sql.param(ids)}::bigint[])`);

const quote = (column: string) => `"${column}"`;
