import { eq, sql } from 'drizzle-orm';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { MonthlyCapReached } from '#server/places/refusals.ts';
import { placesUsage } from '#server/schema/places.ts';

interface CapOptions {
  db: Db;
  clock: Clock;
  cap: number;
}

const toMonth = (now: Date) => now.toISOString().slice(0, 7);

/** Counts a paid call before it is made, in one statement, so that concurrent calls cannot exceed the cap. */
export function monthlyCap({ db, clock, cap }: CapOptions) {
  return async function countCall(): Promise<void> {
    const now = clock();
    const { rows } = await db.execute(sql`
      insert into places_usage (month, calls) select ${toMonth(now)}, 1 where ${cap}::int > 0
      on conflict (month) do update set calls = places_usage.calls + 1 where places_usage.calls < ${cap}
      returning calls`);
    if (rows.length) return;
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    throw new MonthlyCapReached(Math.ceil((nextMonth - now.getTime()) / 1000));
  };
}

export interface PaidCalls {
  used: number;
  cap: number;
}

/** The paid calls of the current month. */
export async function readPaidCalls({ db, clock, cap }: CapOptions): Promise<PaidCalls> {
  const [usage] = await db
    .select({ calls: placesUsage.calls })
    .from(placesUsage)
    .where(eq(placesUsage.month, toMonth(clock())));
  return { used: usage?.calls ?? 0, cap };
}
