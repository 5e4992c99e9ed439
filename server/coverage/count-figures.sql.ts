import { type SQL, sql } from 'drizzle-orm';
import { isContacted, leadStatus } from '#contract/leads/lead.ts';
import type { Db } from '#server/kit/db/db.ts';
import { toCategory } from '#server/places/find-type.ts';
import { TYPE_NAMES } from '#server/places/type-names.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';

const DISTRICTS_PER_STEP = 180;

/** The first districts of the steps, in the order of bytes, as the columns have it. */
const STARTS = UK_DISTRICTS.map(({ code }) => code)
  .sort()
  .filter((_, nth) => nth > 0 && nth % DISTRICTS_PER_STEP === 0);

/** One more than the ranges between the starts: the last step is for what has no postcode. */
export const STEPS = STARTS.length + 2;

function inStep(district: SQL, step: number): SQL {
  const [from, to] = [STARTS[step - 1], STARTS[step]];
  if (step === STEPS - 1) return sql`${district} is null`;
  if (from && to) return sql`${district} >= ${from} and ${district} < ${to}`;
  return from ? sql`${district} >= ${from}` : sql`${district} < ${to}`;
}

/** Each category of a source with the types that it belongs to, as the search has them. */
const CATEGORIES = JSON.stringify(
  TYPE_NAMES.flatMap(({ label, google, overture }) =>
    [...new Set([google, overture, toCategory(label)])].flatMap((category) => (category ? { category, label } : [])),
  ),
);
const CONTACTED = sql.param(leadStatus.options.filter(isContacted));

/**
 * Counts the districts of one step, and writes only the figures that changed. FULL JOIN, because the planner takes the
 * results of a WITH for small, and would compare each row with every other one.
 */
export async function countFigures(tx: Db, step: number): Promise<void> {
  await tx.execute(sql`
    with labels as materialized (
      select category, label from json_to_recordset(${CATEGORIES}::json) as given (category text, label text)
    ), held as materialized (
      select coalesce(business.district, '') as district, business.types as categories, business.type,
        lead.user_id,
        lead.last_contacted_at is not null or lead.status = any (${CONTACTED}::text[]) as contacted,
        lead.status = 'closed_won' as won, lead.existing_customer as customer
      from businesses business join user_businesses lead on lead.business_id = business.id
      where ${inStep(sql`business.district`, step)} and not lead.archived
    ), place as materialized (
      select coalesce(district, '') as district, categories, count(*) as count
      from places where ${inStep(sql`district`, step)} group by 1, 2
    ), category as (
      select categories, category from (select categories from held union select categories from place) used
      left join lateral unnest(categories) category on true
    ), typed as materialized (
      -- The empty type is all businesses.
      select categories, array_append(array_agg(distinct label) filter (where label is not null), '') as types
      from category left join labels using (category) group by categories
    ), counted as materialized (
      select business_type, user_id, district, sum(known)::int as known, sum(leads)::int as leads,
        sum(contacted)::int as contacted, sum(won)::int as won, sum(customers)::int as customers
      from (
        select business_type, coalesce(user_id, 0) as user_id, district, 0 as known, count(*) as leads,
          count(*) filter (where contacted) as contacted, count(*) filter (where won) as won,
          count(*) filter (where customer) as customers
        -- A lead counts under the one type that its list shows; until it has one, under those of its categories.
        from held full join typed using (categories)
          cross join unnest(case when type is null then types else array[type, ''] end) business_type
        where coalesce(user_id, 0) > 0
        group by grouping sets ((business_type, district, user_id), (business_type, district))
        union all
        select business_type, 0, district, sum(count), 0, 0, 0, 0
        from place full join typed using (categories) cross join unnest(types) business_type
        where coalesce(count, 0) > 0
        group by business_type, district
      ) parts group by 1, 2, 3
    ), changed as materialized (
      select business_type, user_id, district, counted.known, counted.leads, counted.contacted, counted.won, counted.customers
      from counted full join (
        select * from coverage_figures
        where ${step === STEPS - 1 ? sql`district = ''` : sql`district > '' and ${inStep(sql`district`, step)}`}
      ) stored using (business_type, user_id, district)
      where (counted.known, counted.leads, counted.contacted, counted.won, counted.customers)
        is distinct from (stored.known, stored.leads, stored.contacted, stored.won, stored.customers)
    ), gone as (
      delete from coverage_figures where (business_type, user_id, district) in (
        select business_type, user_id, district from changed where known is null)
    )
    insert into coverage_figures as stored (business_type, user_id, district, known, leads, contacted, won, customers)
    select business_type, user_id, district, known, leads, contacted, won, customers from changed where known is not null
    on conflict (business_type, user_id, district) do update set
      known = excluded.known, leads = excluded.leads, contacted = excluded.contacted, won = excluded.won,
      customers = excluded.customers`);
}
