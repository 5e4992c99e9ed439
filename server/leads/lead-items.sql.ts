import { type Column, type SQL, sql } from 'drizzle-orm';
import type { LeadItem } from '#contract/leads/lead.ts';
import { websiteOf } from '#contract/leads/website.ts';
import type { Db } from '#server/kit/db/db.ts';
import { fixed } from '#server/kit/db/fixed.ts';
import { businesses, leads, users } from '#server/kit/db/schema.ts';
import { businessColumns, holderColumns, leadColumns } from './leads.sql.ts';

// Every list reads these rows. To put their thirty columns into SQL anew each time was a large part of what a page costs
// the server, so the text is made once, and each value finds its way back by its number.

const PARTS: Record<keyof LeadItem, Record<string, Column>> = {
  business: businessColumns,
  userBusiness: leadColumns,
  user: holderColumns,
};
const COLUMNS = Object.entries(PARTS).flatMap(([part, columns]) =>
  Object.entries(columns).map(([key, column]) => ({ part: part as keyof LeadItem, key, column })),
);
const SELECTED = COLUMNS.map(({ column }, nth) => sql`${column} as ${sql.raw(`c${nth}`)}`);
const FROM_LEADS = fixed(sql`select ${sql.join(SELECTED, sql`, `)} from ${leads}
  join ${businesses} on ${businesses.id} = ${leads.businessId} join ${users} on ${users.id} = ${leads.userId}`);

/** The two orders of the list. */
export const ORDER_BY = {
  newest: fixed(sql`order by ${leads.assignedAt} desc, ${leads.id} desc`),
  oldest: fixed(sql`order by ${leads.assignedAt}, ${leads.id}`),
};

type Row = Record<string, unknown>;

export async function readItems(db: Db, where: SQL | undefined, orderBy: SQL, limit?: number): Promise<LeadItem[]> {
  const { rows } = await db.execute<Row>(sql`
    ${FROM_LEADS} where ${where ?? sql`true`} ${orderBy}
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`);
  return rows.map(itemOf);
}

function itemOf(row: Row): LeadItem {
  const parts: Record<keyof LeadItem, Record<string, unknown>> = { business: {}, userBusiness: {}, user: {} };
  for (const [nth, { part, key, column }] of COLUMNS.entries()) {
    const value = row[`c${nth}`];
    parts[part][key] = value === null ? null : column.mapFromDriverValue(value);
  }
  // The three maps of columns are those that a typed query would have made an item of.
  const item = parts as unknown as LeadItem;
  item.business.website = websiteOf(item.business.website);
  return item;
}
