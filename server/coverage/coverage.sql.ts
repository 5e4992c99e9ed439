import { sql } from 'drizzle-orm';
import type { CoverageFigures } from '#contract/coverage/coverage.calls.ts';
import type { Db } from '#server/kit/db/db.ts';

const WHOLE_TEAM = 0;

type FiguresRow = CoverageFigures & { district: string };

/** The figures of each district; the empty one is of what has no postcode. */
export async function readFigures(db: Db, type = '', userId = WHOLE_TEAM): Promise<FiguresRow[]> {
  // The places of the index are in the rows of the whole team, leads of a user in their own.
  const { rows } = await db.execute<FiguresRow>(sql`
    select district, sum(known)::int as known,
      coalesce(sum(leads) filter (where user_id = ${userId}), 0)::int as leads,
      coalesce(sum(contacted) filter (where user_id = ${userId}), 0)::int as contacted,
      coalesce(sum(won) filter (where user_id = ${userId}), 0)::int as won,
      coalesce(sum(customers) filter (where user_id = ${userId}), 0)::int as customers
    from coverage_figures where business_type = ${type} and user_id in (${WHOLE_TEAM}, ${userId})
    group by district
    -- Where the others of the team have leads, and nothing else is known, is not for a user to see.
    having sum(known) > 0 or bool_or(user_id = ${userId})`);
  return rows;
}

export async function readRefresh(db: Db): Promise<{ refreshedAt: Date | null; tookMs: number }> {
  const { rows } = await db.execute<{ refreshed_at: string | null; took_ms: number | null }>(
    sql`select refreshed_at, took_ms from coverage_refresh`,
  );
  const { refreshed_at = null, took_ms = null } = rows[0] ?? {};
  return { refreshedAt: refreshed_at === null ? null : new Date(refreshed_at), tookMs: took_ms ?? 0 };
}

/** False when it was requested within the last minute. */
export async function requestRefresh(db: Db, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rowCount } = await db.execute(sql`
    insert into coverage_refresh as refresh (requested_at) values (${at})
    on conflict (id) do update set requested_at = excluded.requested_at
    where refresh.requested_at is null or refresh.requested_at <= ${at} - interval '1 minute'`);
  return rowCount === 1;
}

export const finishRefresh = (tx: Db, { startedAt, now }: { startedAt: Date; now: Date }) =>
  tx.execute(sql`
    insert into coverage_refresh (refreshed_at, took_ms)
    values (${startedAt.toISOString()}::timestamptz, ${now.getTime() - startedAt.getTime()})
    on conflict (id) do update set refreshed_at = excluded.refreshed_at, took_ms = excluded.took_ms`);
