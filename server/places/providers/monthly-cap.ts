import { sql } from 'drizzle-orm';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { quotaExceeded } from '#server/places/refusals.ts';

/** Counts a paid call before it is made, in one statement, so that concurrent calls cannot exceed the cap. */
export function monthlyCap({ db, clock, cap }: { db: Db; clock: Clock; cap: number }) {
  return async function countCall(): Promise<void> {
    const now = clock();
    const month = now.toISOString().slice(0, 7);
    const { rows } = await db.execute(sql`
      insert into places_usage (month, calls) select ${month}, 1 where ${cap}::int > 0
      on conflict (month) do update set calls = places_usage.calls + 1 where places_usage.calls < ${cap}
      returning calls`);
    if (rows.length) return;
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    throw quotaExceeded(Math.ceil((nextMonth - now.getTime()) / 1000));
  };
}
