import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';

/** As many leads as a piece of a set is for: as the table has it. */
export const PIECE = sql.raw('16384');
export const NOBODY = sql`0::bit(${PIECE})`;
export const MEMBERS = sql.raw('coalesce(many, few)');

/** A piece with as many members or more is not packed. */
const MANY = sql.raw('128');
const keptAs = (members: SQL) => ({
  few: sql`case when bit_count(${members}) < ${MANY} then ${members} end`,
  many: sql`case when bit_count(${members}) >= ${MANY} then ${members} end`,
});

/** A tenth of a second's work. */
const MOST_AT_ONCE = 1_000;
const FOLD_LOCK = 6_114_023;

/**
 * Brings the sets up to date, all of them or as far as so many steps go. One process does it at a time; another that comes by
 * has nothing to do.
 */
export async function foldLeadSets(db: Db, mostSteps = Number.POSITIVE_INFINITY): Promise<void> {
  let folded = MOST_AT_ONCE;
  for (let step = 0; step < mostSteps && folded === MOST_AT_ONCE; step += 1) {
    folded = await db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as free`);
      return rows[0]?.free ? foldSome(tx) : 0;
    });
  }
}

async function foldSome(tx: Db): Promise<number> {
  const [changed, made] = [keptAs(sql`k.members`), keptAs(sql`come`)];
  // One statement, so that it sees leads and changes of the same moment: whatever comes later leaves a change of its own.
  const { rows } = await tx.execute<{ folded: number }>(sql`
    with taken as materialized (
      delete from lead_set_changes where ctid = any (array(select ctid from lead_set_changes limit ${MOST_AT_ONCE}))
      returning lead, had
    ), said as (
      select lead, unnest(had) as word, false as now from taken
      union all
      select id, unnest(lead_words(user_id, status, archived, existing_customer, town, tags, business_name)), true
      from user_businesses where id = any (array(select lead from taken))
    ), changed as (
      select word, lead, bool_or(now) as now from said group by word, lead
    ), pieces as materialized (
      select word, lead / ${PIECE} as piece,
        lead_members(lead % ${PIECE}, 1) filter (where now) as come,
        lead_members(lead % ${PIECE}, 1) filter (where not now) as gone
      from changed group by word, lead / ${PIECE}
    ), kept as (
      select word, piece, ${MEMBERS} & ~p.gone | p.come as members from pieces p join lead_sets s using (word, piece)
    ), changed_sets as (
      update lead_sets s set few = ${changed.few}, many = ${changed.many}
      from kept k where s.word = k.word and s.piece = k.piece and k.members <> ${NOBODY}
    ), emptied as ( -- what no lead says any more is not kept: it may be a name that somebody wanted gone
      delete from lead_sets s using kept k where s.word = k.word and s.piece = k.piece and k.members = ${NOBODY}
    ), made as (
      insert into lead_sets (word, piece, few, many)
      select word, piece, ${made.few}, ${made.many} from pieces p
      where come <> ${NOBODY} and not exists (select from lead_sets s where s.word = p.word and s.piece = p.piece)
    )
    select count(*)::int as folded from taken`);
  return rows[0]?.folded ?? 0;
}
