import { type Column, getTableName, type SQL, sql } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';
import type { LeadItem } from '#contract/leads/lead.ts';
import { websiteOf } from '#contract/leads/website.ts';
import type { Db } from '#server/kit/db/db.ts';
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
const casing = new CasingCache('snake_case');
const SELECTED = COLUMNS.map(
  ({ column }, nth) => `"${getTableName(column.table)}"."${casing.getColumnCasing(column)}" as c${nth}`,
);
const FROM_LEADS = sql.raw(
  `select ${SELECTED.join(', ')} from user_businesses
   join businesses on businesses.id = user_businesses.business_id join users on users.id = user_businesses.user_id`,
);

export async function readItems(db: Db, where: SQL | undefined, orderBy: SQL[], limit?: number): Promise<LeadItem[]> {
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    ${FROM_LEADS} where ${where ?? sql`true`} order by ${sql.join(orderBy, sql`, `)}
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`);
  return rows.map(itemOf);
}

function itemOf(row: Record<string, unknown>): LeadItem {
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
