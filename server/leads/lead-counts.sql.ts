import { type SQL, sql } from 'drizzle-orm';
import { IMPORTED_TAG, isClosed, type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { trailOf } from './lead-lists.sql.ts';

const EVERYBODY = 0;

/** What is counted, and what has changed since it was; a count is the sum of both. */
const counts = sql`(select * from lead_counts union all select * from lead_count_changes) as counts`;

/** How many leads match, where that has been counted beforehand: not by name, nor by several words at once. */
export async function countedLeads(db: Db, viewer: Viewer, filter: LeadFilter): Promise<number | undefined> {
  const { q, town, tags } = filter;
  if (q || tags.length > 1 || (town && tags.length)) return undefined;
  const [tag] = tags;
  const which = town ? facet('town', town) : tag ? sql`${facet('tag', tag)} and word = ${tag}` : facet('all', '');
  const ordinary = sql`${which} and not existing and status = any (${sql.param(statusesOf(filter))}::text[])`;
  return readSum(db, sumOf(viewer, filter, filter.existing ? sql`(${ordinary} or ${customers})` : ordinary));
}

export const countedAlong = (db: Db, viewer: Viewer, filter: LeadFilter) => readSum(db, leadsAlong(viewer, filter));

/** How many leads a walk may meet: those of the holder, or of the town or status whose index it goes along. */
export function leadsAlong(viewer: Viewer, filter: LeadFilter): SQL {
  const { town, status } = trailOf(viewer, filter);
  const which = town ? facet('town', town) : facet('all', '');
  return sumOf(viewer, { ...filter, archived: true }, status ? sql`${which} and status = ${status}` : which);
}

const sumOf = (viewer: Viewer, filter: LeadFilter, which: SQL) => sql`
  select coalesce(sum(leads), 0)::int as leads from ${counts}
  where holder = ${holderOf(viewer, filter.user)} and ${which} ${filter.archived ? sql`` : sql`and not archived`}`;

async function readSum(db: Db, sum: SQL): Promise<number> {
  const { rows } = await db.execute<{ leads: number }>(sum);
  return rows[0]?.leads ?? 0;
}

const facet = (name: 'all' | 'town' | 'tag', word: string): SQL =>
  sql`facet = ${name} and lower(word) = lower(${word})`;

const customers = sql`${facet('all', '')} and existing`;

const NOBODY = -1;

function holderOf(viewer: Viewer, user?: number): number {
  if (viewer.role === 'admin') return user ?? EVERYBODY;
  return user === undefined || user === viewer.id ? viewer.id : NOBODY;
}

const statusesOf = ({ status, hideClosed }: LeadFilter): LeadStatus[] =>
  leadStatus.options.filter(
    (option) => (status === undefined || option === status) && !(hideClosed && isClosed(option)),
  );

export const townsInView = (db: Db, viewer: Viewer) => wordsInView(db, viewer, 'town');

export async function tagsInView(db: Db, viewer: Viewer): Promise<string[]> {
  return (await wordsInView(db, viewer, 'tag')).filter((tag) => tag !== IMPORTED_TAG);
}

async function wordsInView(db: Db, viewer: Viewer, name: 'town' | 'tag'): Promise<string[]> {
  const { rows } = await db.execute<{ word: string }>(sql`
    select word from ${counts} where holder = ${holderOf(viewer)} and facet = ${name}
    group by word having sum(leads) > 0`);
  // The embedded database sorts by bytes; people do not.
  return rows.map(({ word }) => word).sort((a, b) => a.localeCompare(b, 'en'));
}

export async function statusesInView(db: Db, viewer: Viewer): Promise<LeadStatus[]> {
  const { rows } = await db.execute<{ status: LeadStatus }>(sql`
    select status from ${counts} where holder = ${holderOf(viewer)} and ${facet('all', '')}
    group by status having sum(leads) > 0`);
  return rows.map(({ status }) => status);
}

/** A fraction of a second's work, as nobody else is served meanwhile on the embedded database. */
const MOST_AT_ONCE = 5_000;

/** Adds the changes to the counts. Any number of processes may do it at once: what one has taken, another leaves alone. */
export async function foldLeadCounts(db: Db): Promise<void> {
  let folded: number;
  do {
    folded = await foldSome(db);
    if (folded) await db.execute(sql`delete from lead_counts where leads = 0`);
  } while (folded === MOST_AT_ONCE);
}

async function foldSome(db: Db): Promise<number> {
  const { rows } = await db.execute<{ folded: number }>(sql`
    with taken as (
      delete from lead_count_changes where ctid = any (array(
        select ctid from lead_count_changes limit ${MOST_AT_ONCE} for update skip locked))
      returning *
    ), summed as (
      insert into lead_counts as kept (holder, facet, word, status, archived, existing, leads)
      select holder, facet, word, status, archived, existing, sum(leads) from taken
      group by holder, facet, word, status, archived, existing
      having sum(leads) <> 0
      order by holder, facet, lower(word), word, status, archived, existing -- so that two wait instead of deadlocking
      on conflict (holder, facet, lower(word), word, status, archived, existing)
        do update set leads = kept.leads + excluded.leads
    )
    select count(*)::int as folded from taken`);
  return rows[0]?.folded ?? 0;
}
