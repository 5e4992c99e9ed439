import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Query } from '#contract/call.ts';
import { takePage } from '#contract/cursor.ts';
import { type DuplicateReason, MATCH_SCORE } from '#contract/duplicates/duplicate.ts';
import { DUPLICATES_PAGE, type DuplicateRecord, type listDuplicates } from '#contract/duplicates/duplicates.calls.ts';
import { SIMILAR_NAME } from '#contract/duplicates/match-score.ts';
import { MAX_MERGED, type MergeField, mergeField } from '#contract/duplicates/merge.ts';
import { nameSimilarity } from '#contract/duplicates/name-similarity.ts';
import type { Db } from '#server/kit/db/db.ts';
import { holderColumns } from '#server/leads/leads.sql.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { toMatchKeys } from './match-keys.ts';
import { recordColumns, toMergeRecord } from './merge.sql.ts';

type Filter = Query<typeof listDuplicates>;
type Group = { score: number; reasons: DuplicateReason[]; ids: number[] };
type PairRow = {
  id: number;
  business_id: number;
  other_id: number;
  score: number;
  reasons: DuplicateReason[];
  members: number[];
};

/** Pairs of which one business has a lead. Results of a search without a lead are no duplicates to clean up. */
const matches = ({ state, reason }: Pick<Filter, 'state' | 'reason'>, pair: string): SQL => {
  const p = sql.raw(pair);
  return sql`${p}.state = ${state} and ${p}.score >= ${MATCH_SCORE} ${reason ? sql`and ${reason} = any (${p}.reasons)` : sql``}
    and not exists (select from businesses b where b.id in (${p}.business_id, ${p}.other_id) and b.merged_into is not null)
    and exists (select from user_businesses l where l.business_id in (${p}.business_id, ${p}.other_id))`;
};

/**
 * The groups of a page: the best pair of its businesses, and those that look most like one of the two. The other pairs
 * come up once the group is decided.
 */
export async function readGroups(
  db: Db,
  filter: Filter,
): Promise<{ total: number; groups: Group[]; next?: number | null }> {
  const isBest =
    filter.state === 'dismissed'
      ? sql`true`
      : sql`not exists (
          select from duplicate_pairs better
          where (better.business_id in (p.business_id, p.other_id) or better.other_id in (p.business_id, p.other_id))
            and (better.score, -better.id) > (p.score, -p.id) and ${matches(filter, 'better')})`;
  const where = sql`${matches(filter, 'p')} and ${isBest}`;
  const { rows: counted } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from duplicate_pairs p where ${where}`,
  );
  const members =
    filter.state === 'dismissed'
      ? sql`'{}'::int[]`
      : sql`array(
          select member.id from duplicate_pairs near cross join unnest(array[near.business_id, near.other_id]) as member (id)
          where (near.business_id in (p.business_id, p.other_id) or near.other_id in (p.business_id, p.other_id))
            and ${matches(filter, 'near')}
          group by member.id order by max(near.score) desc, member.id limit ${MAX_MERGED})`;
  const { rows: pairs } = await db.execute<PairRow>(sql`
    select p.id, p.business_id, p.other_id, p.score, p.reasons, ${members} as members from duplicate_pairs p where ${where} ${toPage(filter)}`);
  const { items, next } = takePage(pairs, DUPLICATES_PAGE, ({ id }) => id);
  const groups = items.map(({ id: _, business_id, other_id, members: likely, ...pair }) => ({
    ...pair,
    ids: [...new Set([business_id, other_id, ...likely])].slice(0, MAX_MERGED),
  }));
  return { total: counted[0]?.total ?? 0, groups, ...(filter.after !== undefined && { next }) };
}

const toPage = ({ page, after }: Filter): SQL =>
  after === undefined
    ? sql`order by p.score desc, p.id limit ${DUPLICATES_PAGE} offset ${(page - 1) * DUPLICATES_PAGE}`
    : sql`and p.id > ${after} order by p.id limit ${DUPLICATES_PAGE + 1}`;

/** The records of businesses, by id, without what they have in common. */
export async function readRecords(db: Db, ids: number[]): Promise<Map<number, Omit<DuplicateRecord, 'agrees'>>> {
  if (!ids.length) return new Map();
  const rows = await db.select(recordColumns).from(businesses).where(inArray(businesses.id, ids));
  const held = await db
    .select({
      businessId: leads.businessId,
      uuid: leads.uuid,
      status: leads.status,
      archived: leads.archived,
      holder: holderColumns,
    })
    .from(leads)
    .innerJoin(users, eq(users.id, leads.userId))
    .where(inArray(leads.businessId, ids))
    .orderBy(leads.id);
  return new Map(
    rows.map((row) => {
      const own = held.filter(({ businessId }) => businessId === row.id);
      return [row.id, { ...toMergeRecord(row), leads: own.map(({ businessId: _, ...lead }) => lead) }];
    }),
  );
}

/** Marks in each record the fields in which it is like another one, as their normalized values say. */
export function markAgreement(records: Omit<DuplicateRecord, 'agrees'>[]): DuplicateRecord[] {
  const keys = records.map(toMatchKeys);
  const alike: Record<MergeField, (a: number, b: number) => boolean> = {
    name: (a, b) => nameSimilarity(keys[a]?.name ?? '', keys[b]?.name ?? '') >= SIMILAR_NAME,
    address: (a, b) => keys[a]?.postcode != null && keys[a]?.postcode === keys[b]?.postcode,
    town: (a, b) => keys[a]?.town != null && keys[a]?.town === keys[b]?.town,
    phone: (a, b) => keys[a]?.phone != null && keys[a]?.phone === keys[b]?.phone,
    website: (a, b) => keys[a]?.host != null && keys[a]?.host === keys[b]?.host,
    type: (a, b) => records[a]?.type != null && records[a]?.type === records[b]?.type,
    position: (a, b) => records[a]?.position != null && records[a]?.position === records[b]?.position,
  };
  return records.map((record, at) => ({
    ...record,
    agrees: mergeField.options.filter((field) => records.some((_, other) => other !== at && alike[field](at, other))),
  }));
}

/** How far the search for duplicates is. */
export async function readScan(db: Db) {
  const { rows } = await db.execute<{ completed_at: string | null; businesses: number; waiting: number }>(sql`
    select (select completed_at from duplicate_scan) as completed_at,
      (select count(*) from businesses where merged_into is null)::int as businesses,
      ((select count(*) from business_comparisons where compared_at is null)
        + (select count(*) from businesses b where (b.updated_at, b.id) > (
            coalesce((select keys_at from duplicate_scan), '-infinity'), coalesce((select keys_id from duplicate_scan), 0))
          and b.merged_into is null))::int as waiting`);
  const { completed_at: at, businesses: count = 0, waiting = 0 } = rows[0] ?? {};
  return { completedAt: at ? new Date(at).toISOString() : null, businesses: count, waiting };
}

const PAIRS = (ids: number[]) => sql`
  select a.id as business_id, b.id as other_id
  from unnest(${sql.param(ids)}::int[]) as a (id) join unnest(${sql.param(ids)}::int[]) as b (id) on a.id < b.id
  join businesses first on first.id = a.id join businesses second on second.id = b.id
  where first.merged_into is null and second.merged_into is null`;

/** Every pair of these businesses, also one that does not look like a duplicate yet. */
export async function dismissPairs(db: Db, ids: number[], { viewerId, now }: { viewerId: number; now: Date }) {
  const { rowCount } = await db.execute(sql`
    insert into duplicate_pairs as stored (business_id, other_id, score, reasons, state, decided_by, decided_at)
    select business_id, other_id, 0, '{}', 'dismissed', ${viewerId}, ${now.toISOString()}::timestamptz from (${PAIRS(ids)}) pair
    order by business_id, other_id
    on conflict (business_id, other_id) do update set state = 'dismissed', decided_by = excluded.decided_by,
      decided_at = excluded.decided_at
    where stored.state = 'open'`);
  return rowCount ?? 0;
}

/** A pair that did not look like a duplicate when it was dismissed is deleted; comparing finds it if it does now. */
export async function reopenPairs(db: Db, ids: number[]) {
  const own = sql`business_id = any (${sql.param(ids)}::int[]) and other_id = any (${sql.param(ids)}::int[])`;
  const { rowCount: reopened } = await db.execute(sql`
    update duplicate_pairs set state = 'open', decided_by = null, decided_at = null
    where state = 'dismissed' and score > 0 and ${own}`);
  const { rowCount: deleted } = await db.execute(
    sql`delete from duplicate_pairs where state = 'dismissed' and score = 0 and ${own}`,
  );
  return (reopened ?? 0) + (deleted ?? 0);
}

type ComparedRow = { id: number; emails: string[] } & Parameters<typeof toMatchKeys>[0];

/** Businesses to compare with the others. */
export async function readCompared(db: Db, ids: number[]) {
  const { rows } = await db.execute<ComparedRow>(sql`
    select b.id, b.name, coalesce(b.formatted_address, b.vicinity) as address, b.town,
      coalesce(b.phone, b.international_phone) as phone, b.website, array(
        select distinct search_text(l.custom_fields ->> 'email') from user_businesses l
        where l.business_id = b.id and l.custom_fields ->> 'email' <> '') as emails
    from businesses b where b.id = any (${sql.param(ids)}::int[]) and b.merged_into is null`);
  return rows.map(({ id, emails, ...business }) => ({ businessId: id, emails, ...toMatchKeys(business) }));
}

/** One lead on each of these businesses, the oldest. */
export async function readFirstLeads(db: Db, ids: number[]): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ business_id: number; uuid: string }>(sql`
    select distinct on (business_id) business_id, uuid from user_businesses
    where business_id = any (${sql.param(ids)}::int[]) order by business_id, id`);
  return new Map(rows.map(({ business_id, uuid }) => [business_id, uuid]));
}

/** Which of these pairs were marked as no duplicates, as "smaller larger". */
export async function readDismissed(db: Db, ids: number[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ pair: string }>(sql`
    select business_id || ' ' || other_id as pair from duplicate_pairs
    where state = 'dismissed' and (business_id = any (${sql.param(ids)}::int[]) or other_id = any (${sql.param(ids)}::int[]))`);
  return new Set(rows.map(({ pair }) => pair));
}
