import type { DuplicateMatch } from '#contract/duplicates/duplicate.ts';
import type { ImportRow } from '#contract/import/csv-row.ts';
import { matchKeys } from '#server/duplicates/find-matches.sql.ts';
import { toEmailKey, toMatchKeys } from '#server/duplicates/match-keys.ts';
import type { Db } from '#server/kit/db/db.ts';

/** The existing business that each row's new one looks like, in the order of the rows. */
export async function findLookAlikes(db: Db, rows: ImportRow[]): Promise<(DuplicateMatch | undefined)[]> {
  const compared = rows.map((row) => {
    const email = toEmailKey(row.customFields.email ?? null);
    return { businessId: null, emails: email ? [email] : [], ...toMatchKeys(row) };
  });
  return (await matchKeys(db, compared)).map(([best]) => best);
}
