import { type SQL, sql } from 'drizzle-orm';
import { IMPORTED_TAG, type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import type { LeadScope } from '#contract/leads/lead-filter.ts';
import { listsEveryLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { heldBy, INDEXED_ORIGIN_KEY, inView } from './lead-filter.sql.ts';

// The options of the filter: towns, types, tags and statuses of the leads in view. A user's own leads are all read;
// queries over all leads read only enough to know that an option exists.

/** Each town once, case-insensitively, spelt as in the newest lead. */
export function townsInView(db: Db, viewer: Viewer, scope: LeadScope): Promise<string[]> {
  if (listsEveryLead(viewer, scope)) return readNames(db, EVERY_TOWN);
  return readNames(
    db,
    sql`select distinct on (search_town) town as name from (
        select lead.search_town, lead.town, max(lead.assigned_at) as newest from user_businesses lead
        where ${heldBy(viewer.id)} and lead.town is not null group by lead.search_town, lead.town) spellings
      order by search_town, newest desc`,
  );
}

/** A loose index scan: jumps from each town to the next one in user_businesses_town_idx. */
const EVERY_TOWN = sql`
  with recursive towns as (
    (select search_town, town from user_businesses where search_town is not null
      order by search_town, assigned_at desc, id desc limit 1)
    union all
    select next.* from towns, lateral (
      select lead.search_town, lead.town from user_businesses lead where lead.search_town > towns.search_town
      order by lead.search_town, lead.assigned_at desc, lead.id desc limit 1) next
  )
  select town as name from towns`;

/** The types of business, by their labels. */
export const typesInView = (db: Db, viewer: Viewer, scope: LeadScope): Promise<string[]> =>
  readNames(
    db,
    listsEveryLead(viewer, scope)
      ? EVERY_TYPE
      : sql`select distinct lead.business_type as name from user_businesses lead
          where ${heldBy(viewer.id)} and lead.business_type is not null`,
  );

/** As with towns, in user_businesses_type_idx. */
const EVERY_TYPE = sql`
  with recursive types as (
    (select business_type as name from user_businesses where business_type is not null order by business_type limit 1)
    union all
    select next.name from types, lateral (
      select lead.business_type as name from user_businesses lead where lead.business_type > types.name
      order by lead.business_type limit 1) next
  )
  select name from types`;

/** The sources, as the filter names them. */
export const originsInView = (db: Db, viewer: Viewer, scope: LeadScope): Promise<string[]> =>
  readNames(
    db,
    listsEveryLead(viewer, scope)
      ? EVERY_ORIGIN
      : sql`select distinct ${INDEXED_ORIGIN_KEY} as name from user_businesses lead where ${heldBy(viewer.id)}`,
  );

/** As with towns, in user_businesses_origin_idx. */
const EVERY_ORIGIN = sql`
  with recursive origins as (
    (select ${INDEXED_ORIGIN_KEY} as name from user_businesses lead order by 1 limit 1)
    union all
    select next.name from origins, lateral (
      select ${INDEXED_ORIGIN_KEY} as name from user_businesses lead where ${INDEXED_ORIGIN_KEY} > origins.name
      order by 1 limit 1) next
  )
  select name from origins`;

export async function tagsInView(db: Db, viewer: Viewer, scope: LeadScope): Promise<string[]> {
  const ownTags = sql`select distinct unnest(lead.tags) as name from user_businesses lead where ${heldBy(viewer.id)}`;
  const tags = await readNames(db, listsEveryLead(viewer, scope) ? EVERY_TAG : ownTags);
  return tags.filter((tag) => tag !== IMPORTED_TAG);
}

/**
 * Common tags are found among the newest leads, the others are looked up one by one. The look-up is a materialized CTE,
 * read to its first row, because plain EXISTS is planned as a table scan that expects to find the tag soon.
 */
const EVERY_TAG = sql`
  with recent as (
    select distinct unnest(tags) as name
    from (select tags from user_businesses order by assigned_at desc, id desc limit 5000) newest
  )
  select name from recent
  union all
  select name from lead_tags where name not in (select name from recent) and exists (
    with tagged as materialized (select from user_businesses where tags @> array[lead_tags.name])
    select from tagged)`;

export async function statusesInView(db: Db, viewer: Viewer, scope: LeadScope): Promise<LeadStatus[]> {
  const { rows } = await db.execute<{ status: LeadStatus }>(sql`
    select status from unnest(${sql.param(leadStatus.options)}::text[]) status
    where exists (select from user_businesses lead where lead.status = status.status and ${inView(viewer, scope)})`);
  return rows.map(({ status }) => status);
}

async function readNames(db: Db, query: SQL): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(query);
  // Sorted here, because the database's order depends on its locale.
  return rows.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
}
