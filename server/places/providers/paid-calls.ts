import { sql } from 'drizzle-orm';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { quotaUsed } from '#server/places/refusals.ts';

/** Counts a call before it is made, in one statement, so that two at once cannot both be the last one allowed. */
export function paidCalls({ db, clock, monthlyCap }: { db: Db; clock: Clock; monthlyCap: number }) {
  return async function countPaidCall(): Promise<void> {
    const now = clock();
    const month = now.toISOString().slice(0, 7);
    const { rows } = await db.execute(sql`
      insert into places_usage (month, calls) select ${month}, 1 where ${monthlyCap}::int > 0
      on conflict (month) do update set calls = places_usage.calls + 1 where places_usage.calls < ${monthlyCap}
      returning calls`);
    if (rows.length) return;
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    throw quotaUsed(Math.ceil((nextMonth - now.getTime()) / 1000));
  };
}
