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
    group by district`);
  return rows;
}

interface RefreshState {
  refreshedAt: Date | null;
  tookMs: number;
  /** Null while none runs. */
  startedAt: Date | null;
  steppedAt: Date | null;
  nextStep: number;
}

export async function readRefresh(db: Db): Promise<RefreshState> {
  const { rows } = await db.execute<RefreshRow>(sql`select * from coverage_refresh`);
  return toState(rows[0]);
}

/** False when it was requested within the last minute, or while another process counts a step. */
export async function requestRefresh(db: Db, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await db.execute(sql`insert into coverage_refresh default values on conflict do nothing`);
  const { rowCount } = await db.execute(sql`
    update coverage_refresh set requested_at = ${at} where id in (
      select id from coverage_refresh
      where requested_at is null or requested_at <= ${at} - interval '1 minute' for update skip locked)`);
  return rowCount === 1;
}

/** Undefined while another process counts a step. */
export async function lockRefresh(tx: Db): Promise<RefreshState | undefined> {
  await tx.execute(sql`insert into coverage_refresh default values on conflict do nothing`);
  const { rows } = await tx.execute<RefreshRow>(sql`select * from coverage_refresh for update skip locked`);
  return rows[0] && toState(rows[0]);
}

type RefreshRow = Record<'refreshed_at' | 'started_at' | 'stepped_at', string | null> & {
  took_ms: number | null;
  next_step: number;
};

const toState = (row: RefreshRow | undefined): RefreshState => ({
  refreshedAt: toDate(row?.refreshed_at),
  tookMs: row?.took_ms ?? 0,
  startedAt: toDate(row?.started_at),
  steppedAt: toDate(row?.stepped_at),
  nextStep: row?.next_step ?? 0,
});

const toDate = (moment: string | null | undefined) => (moment ? new Date(moment) : null);

export const moveRefresh = (tx: Db, { startedAt, now, nextStep }: { startedAt: Date; now: Date; nextStep: number }) =>
  tx.execute(sql`update coverage_refresh set started_at = ${startedAt.toISOString()}::timestamptz,
    stepped_at = ${now.toISOString()}::timestamptz, next_step = ${nextStep}`);

export const finishRefresh = (tx: Db, { startedAt, now }: { startedAt: Date; now: Date }) =>
  tx.execute(sql`update coverage_refresh set refreshed_at = ${startedAt.toISOString()}::timestamptz,
    took_ms = ${now.getTime() - startedAt.getTime()}, started_at = null, stepped_at = null, next_step = 0`);
