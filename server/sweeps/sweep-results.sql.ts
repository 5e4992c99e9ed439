import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { takePage } from '#contract/cursor.ts';
import { MATCH_SCORE } from '#contract/duplicates/duplicate.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { type SweepResult, type SweepResultStatus, sweepResultStatus } from '#contract/sweeps/sweep.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { sweepResults } from '#server/schema/sweeps.ts';

/** The results of a sweep, each with its business (of several that were merged, one) and what it is now. */
const results = (sweepId: string) => sql`(
  select distinct on (b.id) b.id, b.place_id, b.name, b.formatted_address, b.phone, b.website, r.district, d.position,
    coalesce(b.district, r.district) as own_district,
    case
      when r.left_out is not null then r.left_out
      when held.leads is null then case when alike.lead_uuid is null then 'new' else 'similar' end
      when r.batch_id is not null then 'assigned'
      when held.customer then 'customer'
      else 'lead'
    end as status,
    alike.name as alike_name, alike.town as alike_town, alike.lead_uuid
  from sweep_results r
  join businesses place on place.id = r.business_id
  join businesses b on b.id = coalesce(place.merged_into, place.id)
  left join sweep_districts d on d.sweep_id = r.sweep_id and d.district = r.district
  left join lateral (
    select count(*) as leads, bool_or(l.existing_customer) as customer from user_businesses l
    where l.business_id = b.id having count(*) > 0
  ) held on true
  left join lateral (
    select other.name, other.town, l.uuid as lead_uuid from duplicate_pairs p
    join businesses other on other.id = case p.business_id when b.id then p.other_id else p.business_id end
    join user_businesses l on l.business_id = other.id
    where b.id in (p.business_id, p.other_id) and other.merged_into is null and p.state = 'open' and p.score >= ${MATCH_SCORE}
      and r.left_out is null and held.leads is null
      -- Two results that are alike are both new: the steps of an assignment must not change what is left.
      and not exists (select from sweep_results own
        where own.sweep_id = r.sweep_id and own.business_id = other.id and own.batch_id is not null)
    order by p.score desc, p.id, l.id limit 1
  ) alike on true
  where r.sweep_id = ${sweepId}
  order by b.id, r.batch_id nulls last) result`;

interface ResultPage {
  status?: SweepResultStatus | undefined;
  page: number;
  after?: number | undefined;
  pageSize: number;
}

export async function listResults(db: Db, sweepId: string, { status, page, after, pageSize }: ResultPage) {
  const isListed = sql`where true ${status ? sql`and status = ${status}` : sql``} ${after === undefined ? sql`` : sql`and id > ${after}`}`;
  const { rows } = await db.execute<{
    id: number;
    place_id: string;
    name: string;
    formatted_address: string | null;
    phone: string | null;
    website: string | null;
    district: string;
    status: SweepResultStatus;
    alike_name: string;
    alike_town: string | null;
    lead_uuid: string | null;
  }>(sql`
    select id, place_id, name, formatted_address, phone, website, district, status, alike_name, alike_town, lead_uuid from ${results(sweepId)}
    ${isListed} ${
      after === undefined
        ? sql`order by position nulls last, lower(name), id limit ${pageSize} offset ${(page - 1) * pageSize}`
        : sql`order by id limit ${pageSize + 1}`
    }`);
  const { items: listed, next } = takePage(rows, pageSize, ({ id }) => id);
  const counts = await countResults(db, sweepId);
  const objections = await readObjections(
    db,
    listed.map(({ place_id, phone }) => ({ placeId: place_id, phone })),
  );
  return {
    items: listed.map(
      (
        { id, place_id: _, formatted_address, website, alike_name, alike_town, lead_uuid, ...row },
        nth,
      ): SweepResult => ({
        ...row,
        businessId: id,
        objections: objections[nth] ?? [],
        address: formatted_address,
        website: parseStoredWebsite(website),
        looksLike: lead_uuid ? { name: alike_name, town: alike_town, leadUuid: lead_uuid } : null,
      }),
    ),
    counts,
    total: status ? counts[status] : Object.values(counts).reduce((sum, count) => sum + count, 0),
    page,
    pageSize,
    ...(after !== undefined && { next }),
  };
}

async function countResults(db: Db, sweepId: string): Promise<Record<SweepResultStatus, number>> {
  const { rows } = await db.execute<{ status: SweepResultStatus; count: number }>(
    sql`select status, count(*)::int as count from ${results(sweepId)} group by status`,
  );
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  return Object.fromEntries(sweepResultStatus.options.map((status) => [status, counts.get(status) ?? 0])) as Record<
    SweepResultStatus,
    number
  >; // every status is in the options
}

/** The latest batch in which results were assigned, if some of its changes are left. */
export async function findLatestBatch(db: Db, sweepId: string): Promise<string | null> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select b.id from change_batches b
    where b.id in (select r.batch_id from sweep_results r where r.sweep_id = ${sweepId})
      and exists (select from changes c where c.batch_id = b.id)
    order by b.at desc limit 1`);
  return rows[0]?.id ?? null;
}

const isChosen = (businessIds: number[] | undefined): SQL =>
  businessIds ? sql`and id = any (${sql.param(businessIds)}::int[])` : sql``;

/** The businesses of new results, in the order of their districts. */
export async function listNewBusinesses(tx: Db, sweepId: string, businessIds?: number[]): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select id from ${results(sweepId)} where status = 'new' ${isChosen(businessIds)}
    order by position nulls last, lower(name), id`);
  return rows.map(({ id }) => id);
}

/** The district of each business: that of its postcode, else the one that the sweep found for it. */
export async function readDistricts(db: Db, sweepId: string, businessIds: number[]): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ id: number; own_district: string }>(sql`
    select id, own_district from ${results(sweepId)} where id = any (${sql.param(businessIds)}::int[])`);
  return new Map(rows.map(({ id, own_district }) => [id, own_district]));
}

/**
 * Locks these businesses, and returns those that are no leads: until the transaction ends, no other call makes one a lead.
 * In the order of place ids, like searches and imports, so that calls wait for each other instead of deadlocking.
 */
export async function lockWithoutLeads(tx: Db, businessIds: number[]): Promise<Set<number>> {
  await tx.execute(sql`
    select id from businesses where id = any (${sql.param(businessIds)}::int[]) order by place_id for no key update`);
  const { rows } = await tx.execute<{ id: number }>(sql`
    select b.id from businesses b where b.id = any (${sql.param(businessIds)}::int[]) and b.merged_into is null
      and not exists (select from user_businesses l where l.business_id = b.id)`);
  return new Set(rows.map(({ id }) => id));
}

/** Also marks the results whose businesses were merged into these. */
export async function markAssigned(tx: Db, sweepId: string, businessIds: number[], batchId: string) {
  const merged = sql`(select place.id from businesses place where coalesce(place.merged_into, place.id) = any (${sql.param(businessIds)}::int[]))`;
  await tx
    .update(sweepResults)
    .set({ batchId })
    .where(and(eq(sweepResults.sweepId, sweepId), inArray(sweepResults.businessId, merged)));
}

/** The leads of a batch so far, by their first holder. */
export async function countAssigned(tx: Db, batchId: string): Promise<Map<number, number>> {
  const { rows } = await tx.execute<{ user_id: number; leads: number }>(sql`
    select (after ->> 'userId')::int as user_id, count(*)::int as leads from changes
    where batch_id = ${batchId} and field = 'lead' group by 1`);
  return new Map(rows.map(({ user_id, leads }) => [user_id, leads]));
}
