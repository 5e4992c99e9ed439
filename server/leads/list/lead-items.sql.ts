import { sql } from 'drizzle-orm';
import type { LeadItem } from '#contract/leads/lead.ts';
import type { Unchecked } from '#server/contact-rules/objection-facts.sql.ts';
import { BUSINESS, HOLDER, LEAD, toLeadBusiness } from '#server/leads/leads.sql.ts';

export const ITEM_COLUMNS = sql.join([BUSINESS.columns, LEAD.columns, HOLDER.columns], sql`, `);

/** The newest activity: its type, the first line of its text, and its outcome. */
export const LATEST_ACTIVITY = sql`left join lateral (
  select jsonb_build_object('type', type, 'text',
    left(split_part(ltrim(description), E'\\n', 1), 200), 'outcome', outcome) as summary
  from contact_activities where user_business_id = lead.id and (scheduled_at is null or completed_at is not null)
  order by created_at desc, id desc limit 1
) latest_activity on true`;

export type ItemRow = Record<string, unknown>;

export const toItem = (row: ItemRow): Unchecked<LeadItem> => ({
  business: toLeadBusiness(BUSINESS.read(row)),
  userBusiness: LEAD.read(row),
  user: HOLDER.read(row),
});
