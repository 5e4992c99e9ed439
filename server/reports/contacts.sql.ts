import { sql } from 'drizzle-orm';
import type { ResponseBody } from '#contract/call.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import { parseCallTimeKey } from '#contract/reports/call-time.ts';
import {
  CONTACTS_PER_PAGE,
  type ContactFilter,
  type ContactType,
  type listContacts,
} from '#contract/reports/contacts.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { IS_REACHED_OUTCOME } from '#server/leads/list/reports/funnel.sql.ts';
import { IS_TIMED_CALL, loggedIn, type Period, toLocal } from './activity.sql.ts';
import { NAME_OF_USER } from './person-name.sql.ts';

interface Page {
  viewer: Viewer;
  page: number;
}

interface Row extends Record<string, unknown> {
  id: number;
  type: ContactType;
  outcome: string | null;
  at: string;
  person: string | null;
  uuid: string;
  businessName: string;
  userId: number;
}

/** A page of the contacts that a figure counts: the condition of the figure, and what narrows it. */
export async function readContacts(
  db: Db,
  period: Period,
  filter: ContactFilter,
  { viewer, page }: Page,
): Promise<Omit<ResponseBody<typeof listContacts>, 'days'>> {
  const matching = sql`${loggedIn(period)} and ${isContact(filter, period)}`;
  const counted = await db.execute<{ total: number }>(sql`select count(*)::int as total from ${matching}`);
  const { rows } = await db.execute<Row>(sql`
    select activity.id, activity.type, activity.outcome, activity.completed_at as at, ${NAME_OF_USER} as person,
      lead.uuid, lead.business_name as "businessName", lead.user_id as "userId"
    from (
      select activity.* from ${matching} order by activity.completed_at desc, activity.id desc
      limit ${CONTACTS_PER_PAGE} offset ${(page - 1) * CONTACTS_PER_PAGE}
    ) activity
    join user_businesses lead on lead.id = activity.user_business_id
    left join users on users.id = activity.created_by
    order by activity.completed_at desc, activity.id desc`);
  return {
    total: counted.rows[0]?.total ?? 0,
    items: rows.map(({ uuid, businessName, userId, at, ...contact }) => ({
      ...contact,
      at: new Date(at).toISOString(),
      lead: canSeeLead(viewer, { userId }) ? { uuid, name: businessName } : null,
    })),
  };
}

function isContact({ contact, reached, deleted, callTime }: ContactFilter, period: Period) {
  const conditions = [sql`true`];
  if (contact) conditions.push(sql`activity.type = ${contact}`);
  if (reached) conditions.push(IS_REACHED_OUTCOME);
  if (deleted) conditions.push(sql`activity.created_by is null`);
  if (callTime) {
    const { weekday, hour } = parseCallTimeKey(callTime);
    conditions.push(sql`${IS_TIMED_CALL} and extract(isodow from ${toLocal(period)}) = ${weekday}
      and extract(hour from ${toLocal(period)}) = ${hour}`);
  }
  return sql.join(conditions, sql` and `);
}
