import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { SAMPLE } from '#server/places/sample/load-sample.ts';

interface Facts extends Record<string, unknown> {
  /** Active accounts. */
  people: number;
  hasPlaces: boolean;
  searched: boolean;
  assigned: boolean;
}

export async function readFirstSteps(db: Db): Promise<Facts> {
  const { rows } = await db.execute<Facts>(sql`
    select (select count(*)::int from users where active and deleted_at is null) as people,
      exists (select from places where source <> ${SAMPLE}) as "hasPlaces",
      exists (select from businesses where not imported) as searched,
      exists (select from user_businesses) as assigned`);
  return rows[0] as Facts;
}
