import { type Column, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { LeadItem } from '#contract/leads/lead.ts';
import { businessColumns, holderColumns, leadColumns, toLeadBusiness } from '#server/leads/leads.sql.ts';

// The select list of a list item, built once from the column maps that a single lead is read with.

const PARTS: [part: keyof LeadItem, alias: string, columns: Record<string, Column>][] = [
  ['business', 'business', businessColumns],
  ['userBusiness', 'lead', leadColumns],
  ['user', 'holder', holderColumns],
];
const COLUMNS = PARTS.flatMap(([part, alias, columns]) =>
  Object.entries(columns).map(([key, column]) => ({ part, alias, key, column, name: `${alias}.${toSnakeCase(key)}` })),
);

export const ITEM_COLUMNS = sql.raw(COLUMNS.map(({ name }) => `${name} as "${name}"`).join(', '));
export const JOIN_BUSINESS_AND_HOLDER = sql.raw(
  'join businesses business on business.id = lead.business_id join users holder on holder.id = lead.user_id',
);

/** The newest activity as "type" and the first line of its text, or its outcome where it has none. */
export const LATEST_ACTIVITY = sql`left join lateral (
  select jsonb_build_object('type', type, 'text',
    coalesce(nullif(left(split_part(ltrim(description), E'\\n', 1), 200), ''), replace(outcome, '_', ' '), '')) as summary
  from contact_activities where user_business_id = lead.id and (scheduled_at is null or completed_at is not null)
  order by created_at desc, id desc limit 1
) latest_activity on true`;

export type ItemRow = Record<string, unknown>;

export function toItem(row: ItemRow): LeadItem {
  const parts: Record<keyof LeadItem, Record<string, unknown>> = { business: {}, userBusiness: {}, user: {} };
  for (const { part, key, column, name } of COLUMNS) {
    const value = row[name];
    parts[part][key] = value === null ? null : column.mapFromDriverValue(value);
  }
  // True because the three column maps together are what `LeadItem` consists of.
  const item = parts as unknown as LeadItem & { business: Parameters<typeof toLeadBusiness>[0] };
  return { ...item, business: toLeadBusiness(item.business) };
}
