import { sql } from 'drizzle-orm';
import { parseFindQuery } from '#contract/leads/find/find-query.ts';
import type { Db } from '#server/kit/db/db.ts';
import { hasLetters, matchesText } from './matches-text.sql.ts';

/** So many leads are read in less time than a word is looked up among a million. */
const FEW_LEADS = 2_000;
/** A thousand leads; of small databases one in a hundred. */
const SAMPLE_PERCENT = sql`(select 100000 / greatest(reltuples, 100000) from pg_class where oid = 'user_businesses'::regclass)`;
/** Where more than this share of all leads match, reading leads until there are enough is faster than any index. */
const COMMON_SHARE = 0.25;
/** Of words that so differ in how many leads have them, only the rarer is looked up: the list of the other takes too long. */
const MANY_TIMES = 5;

export interface TextSample {
  /** Whether so many leads match that the newest soon include enough of them. */
  common: boolean;
  /** The words to look up in the indexes. With none, leads are read. */
  lookedUp: string[];
}

/**
 * Decides by a sample of the leads which words of a text to look up, among everyone's leads or those of one user. PostgreSQL
 * would look up all words: it expects the long list of a common word to cost a tenth of what it does.
 */
export async function sampleText(db: Db, text: string, userId?: number): Promise<TextSample> {
  const { lookedUp: words } = parseFindQuery(text);
  if (!words.length || (userId && (await holdsFewLeads(db, userId)))) return { common: false, lookedUp: [] };
  const inView = userId ? sql`lead.user_id = ${userId}` : sql`true`;
  const counts = [sql`true`, matchesText(text, []), inView, ...words.map(hasLetters)].map(
    (condition) => sql`count(*) filter (where ${condition})::int`,
  );
  const { rows } = await db.execute<{ counts: number[] }>(sql`
    select array[${sql.join(counts, sql`, `)}] as counts
    from user_businesses lead tablesample system (${SAMPLE_PERCENT}) repeatable (0)`);
  const [sampled = 0, matching = 0, viewed = 0, ...withWord] = rows[0]?.counts ?? [];
  if (matching > sampled * COMMON_SHARE) return { common: true, lookedUp: [] };
  const rarest = Math.max(1, Math.min(viewed, ...withWord));
  return { common: false, lookedUp: words.filter((_, nth) => (withWord[nth] ?? 0) <= rarest * MANY_TIMES) };
}

async function holdsFewLeads(db: Db, userId: number): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select from user_businesses where user_id = ${userId} order by assigned_at desc, id desc limit 1 offset ${FEW_LEADS}`,
  );
  return rows.length === 0;
}
