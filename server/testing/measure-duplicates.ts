import { sql } from 'drizzle-orm';
import { findDuplicates } from '#server/duplicates/duplicate-job.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses } from '#server/schema/leads.ts';
import type { DuplicateSet } from './duplicate-set.ts';

const CHUNK = 1_000;

/** Stores the set and looks for its duplicates. Precision and recall are from 0 to 1. */
export async function measureDuplicates(db: Db, { rows, pairs }: DuplicateSet) {
  for (let start = 0; start < rows.length; start += CHUNK) {
    await db.insert(businesses).values(rows.slice(start, start + CHUNK));
  }
  await db.execute(sql`analyze businesses`);
  const started = performance.now();
  while (!(await findDuplicates(db)));
  const seconds = (performance.now() - started) / 1_000;
  const { rows: found } = await db.execute<{ a: string; b: string; score: number }>(sql`
    select a.place_id as a, b.place_id as b, p.score from duplicate_pairs p
    join businesses a on a.id = p.business_id join businesses b on b.id = p.other_id order by p.id`);
  const real = new Set(pairs.map(toKey));
  const right = found.filter(({ a, b }) => real.has(toKey([a, b])));
  return {
    found: found.length,
    precision: right.length / (found.length || 1),
    recall: right.length / pairs.length,
    seconds,
    /** For looking at the mistakes. */
    wrong: found.filter(({ a, b }) => !real.has(toKey([a, b]))),
    missed: pairs.filter((pair) => !right.some(({ a, b }) => toKey([a, b]) === toKey(pair))),
  };
}

const toKey = (pair: [string, string]) => pair.toSorted().join(' ');
