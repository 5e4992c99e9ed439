import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { LeadExportQuery, LeadFilter } from '#contract/leads/lead-filter.ts';
import { websiteOf } from '#contract/leads/website.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads, users } from '#server/kit/db/schema.ts';
import { foundInSets } from './found-in-sets.sql.ts';
import { countedLeads } from './lead-counts.sql.ts';
import { matching } from './lead-lists.sql.ts';

export const EXPORT_BATCH = 500;

const columns = {
  id: leads.id,
  name: businesses.name,
  address: businesses.formattedAddress,
  town: businesses.town,
  phone: businesses.phone,
  website: businesses.website,
  customFields: leads.customFields,
  username: users.username,
  tags: leads.tags,
  status: leads.status,
  assignedAt: leads.assignedAt,
  lastContactedAt: leads.lastContactedAt,
  archived: leads.archived,
  existingCustomer: leads.existingCustomer,
};

export type ExportedLead = Awaited<ReturnType<typeof readBatch>>[number];

/** How many leads match, to the last one. */
export async function countMatching(db: Db, viewer: Viewer, filter: LeadFilter): Promise<number> {
  const counted = await countedLeads(db, viewer, filter);
  if (counted !== undefined) return counted;
  const found = await foundInSets(db, viewer, { ...filter, sort: 'newest', page: 1, pageSize: 0 });
  return found?.total ?? db.$count(leads, matching(viewer, filter));
}

/** Every lead that matches, read in short queries so that neither memory nor anybody's wait grows with their number. */
export async function* leadsToExport(db: Db, viewer: Viewer, query: LeadExportQuery): AsyncGenerator<ExportedLead[]> {
  let last: ExportedLead | undefined;
  do {
    const batch = await readBatch(db, and(matching(viewer, query), last && beyond(last, query)), query);
    yield batch;
    last = batch.length === EXPORT_BATCH ? batch.at(-1) : undefined;
  } while (last);
}

async function readBatch(db: Db, where: SQL | undefined, { sort }: LeadExportQuery) {
  const order = sort === 'newest' ? desc : asc;
  const rows = await db
    .select(columns)
    .from(leads)
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .innerJoin(users, eq(users.id, leads.userId))
    .where(where)
    .orderBy(order(leads.assignedAt), order(leads.id))
    .limit(EXPORT_BATCH);
  return rows.map((row) => ({ ...row, website: websiteOf(row.website) }));
}

/** Rows are compared whole, so that the index of the order leads straight to where the last batch ended. */
function beyond({ assignedAt, id }: ExportedLead, { sort }: LeadExportQuery): SQL {
  const further = sort === 'newest' ? sql`<` : sql`>`;
  return sql`(${leads.assignedAt}, ${leads.id}) ${further} (${assignedAt}::timestamptz, ${id}::int)`;
}
