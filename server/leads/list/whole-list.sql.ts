import { type SQL, sql } from 'drizzle-orm';
import type { LeadItem } from '#contract/leads/lead.ts';
import { withObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { JOIN_BUSINESS_AND_HOLDER } from '#server/leads/leads.sql.ts';
import { ITEM_COLUMNS, type ItemRow, toItem } from './lead-items.sql.ts';
import { NEWEST, orderBy } from './lead-sort.sql.ts';

const BATCH = 500;

/** All leads of a scope, newest first, read in batches by keyset pagination. */
export async function* wholeList(db: Db, scope: SQL): AsyncGenerator<LeadItem[]> {
  let last: LeadItem['userBusiness'] | undefined;
  do {
    const { rows } = await db.execute<ItemRow>(sql`
      select ${ITEM_COLUMNS} from user_businesses lead ${JOIN_BUSINESS_AND_HOLDER}
      where ${scope} and ${last ? isOlder(last) : sql`true`}
      ${orderBy(NEWEST)} limit ${BATCH}`);
    const items = await withObjections(db, rows.map(toItem));
    if (items.length) yield items;
    last = items.length === BATCH ? items.at(-1)?.userBusiness : undefined;
  } while (last);
}

/** A row comparison, so that the index scan starts at the last lead that was read. */
const isOlder = ({ assignedAt, id }: LeadItem['userBusiness']) =>
  sql`(lead.assigned_at, lead.id) < (${assignedAt}::timestamptz, ${id}::int)`;
