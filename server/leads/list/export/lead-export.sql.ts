import { sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { ObjectionFact } from '#contract/contact-rules/objection.ts';
import { READ_ONLY_KEYS, type ReadOnlyKey } from '#contract/leads/fields/read-only-fields.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadExportQuery, LeadFilter } from '#contract/leads/lead-filter.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import type { Viewer } from '#contract/users/user.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { JOIN_BUSINESS_AND_HOLDER } from '#server/leads/leads.sql.ts';
import type { ListTime } from '#server/leads/list/lead-dates.sql.ts';
import { matchesFilter } from '#server/leads/list/lead-filter.sql.ts';
import { orderBy, resolveSort, sortParts } from '#server/leads/list/lead-sort.sql.ts';

export const EXPORT_BATCH = 500;

type Exported = 'id' | 'customFields' | 'ownFields' | 'tags' | 'status' | 'archived' | 'existingCustomer' | ReadOnlyKey;

export interface ExportedLead extends Record<string, unknown>, Pick<Lead, Exported> {
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  website: string | null;
  type: string | null;
  username: string;
  sortKey: string | null;
  placeId: string;
  objections: ObjectionFact[];
}

const READ_ONLY_COLUMNS = sql.raw(READ_ONLY_KEYS.map((key) => `lead.${toSnakeCase(key)} as "${key}"`).join(', '));

async function complete(db: Db, rows: ExportedLead[]): Promise<ExportedLead[]> {
  const objections = await readObjections(
    db,
    rows.map(({ placeId, phone, customFields: { email } }) => ({ placeId, phone, email })),
  );
  return rows.map((row, nth) => ({
    ...row,
    website: parseStoredWebsite(row.website),
    objections: objections[nth] ?? [],
  }));
}

/** The exact number of matching leads. */
export async function countMatching(db: Db, viewer: Viewer, filter: LeadFilter, time: ListTime): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from user_businesses lead where ${matchesFilter(viewer, filter, time)}`,
  );
  return rows[0]?.total ?? 0;
}

/** All matching leads, read in batches by keyset pagination, so that memory does not grow with their number. */
export async function* leadsToExport(
  db: Db,
  viewer: Viewer,
  query: LeadExportQuery,
  time: ListTime,
): AsyncGenerator<ExportedLead[]> {
  const sort = await resolveSort(db, query.sort);
  for (const { condition, isAfter } of sortParts(sort)) {
    let last: ExportedLead | undefined;
    do {
      const { rows } = await db.execute<ExportedLead>(sql`
        select lead.id, business.place_id as "placeId", business.name, business.formatted_address as address, business.town, business.phone,
          business.website, business.type, lead.custom_fields as "customFields", lead.own_fields as "ownFields", holder.username, lead.tags, lead.status,
          lead.archived, lead.existing_customer as "existingCustomer", ${READ_ONLY_COLUMNS}, (${sort.key})::text as "sortKey"
        from user_businesses lead ${JOIN_BUSINESS_AND_HOLDER}
        where ${matchesFilter(viewer, query, time)} and ${condition} and ${last ? isAfter(last) : sql`true`}
        ${orderBy(sort)} limit ${EXPORT_BATCH}`);
      if (rows.length) yield await complete(db, rows);
      last = rows.length === EXPORT_BATCH ? rows.at(-1) : undefined;
    } while (last);
  }
}
