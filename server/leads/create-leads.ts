import { sql } from 'drizzle-orm';
import type { Details } from '#contract/leads/fields/detail-fields.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import type { Lead, LeadStatus } from '#contract/leads/lead.ts';
import type { OwnValues } from '#contract/leads/own-fields/own-field.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';

export interface NewLead {
  userId: number;
  /** An import knows the place of its business only. */
  business: { id: number } | { placeId: string };
  uuid?: string | undefined;
  status?: LeadStatus;
  viewed?: boolean;
  archived?: boolean;
  tags?: string[];
  notes?: string;
  customFields?: Details;
  ownFields?: OwnValues;
  /** Now, where it is left out. */
  assignedAt?: string | undefined;
}

type CreatedLead = Pick<Lead, 'id' | 'userId' | 'businessId'>;

interface Context {
  /** How these leads came to the team. */
  origin: LeadOrigin;
  log: ChangeLog;
  /**
   * What happens where the user holds the business already. An import also skips those whom the user was the first holder
   * of, even after the lead was reassigned.
   */
  held?: 'refuse' | 'skip';
}

/** Inserts leads, for whatever reason. The caller records who assigned them. */
export async function createLeads(
  tx: Db,
  leads: NewLead[],
  { origin, log, held = 'refuse' }: Context,
): Promise<CreatedLead[]> {
  if (!leads.length) return [];
  const rows = leads.map(({ business, ...lead }, position) => ({ position, ...business, ...lead }));
  const unheld = sql`
    where not exists (
      select from user_businesses earlier join assignment_history h on h.user_business_id = earlier.id
      where earlier.business_id = business.id and h.initial and h.new_user_id = row."userId")`;
  const { rows: created } = await tx.execute<CreatedLead & Record<string, unknown>>(sql`
    insert into user_businesses
      (user_id, business_id, uuid, status, viewed, archived, archived_at, tags, custom_fields, own_fields, notes, source,
      assigned_at)
    select row."userId", business.id, coalesce(row.uuid, gen_random_uuid()), coalesce(row.status, 'new'),
      coalesce(row.viewed, false), coalesce(row.archived, false), case when row.archived then now() end,
      coalesce(row.tags, '{}'), coalesce(row."customFields", '{}'), coalesce(row."ownFields", '{}'), coalesce(row.notes, ''), ${JSON.stringify(origin)}::jsonb,
      coalesce(row."assignedAt", now())
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (position integer, "userId" integer, id integer,
      "placeId" text, uuid uuid, status text, viewed boolean, archived boolean, tags text[], "customFields" jsonb, "ownFields" jsonb,
      notes text, "assignedAt" timestamptz)
    left join businesses place on place.place_id = row."placeId"
    join businesses business on business.id = coalesce(row.id, place.merged_into, place.id)
    ${held === 'skip' ? unheld : sql``}
    order by row.position -- of two rows for the same lead the first counts
    ${held === 'skip' ? sql`on conflict on constraint user_businesses_one_per_user do nothing` : sql``}
    returning id, user_id as "userId", business_id as "businessId"`);
  for (const { id, userId } of created) log.addLead(id, 'lead', { before: null, after: { userId } });
  return created;
}
