import { and, asc, desc, eq, getTableColumns, gte, inArray, isNull, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { takePage } from '#contract/cursor.ts';
import type { Sweep, SweepDistrict, SweepDistrictState, SweepState } from '#contract/sweeps/sweep.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findDistrict, type UkDistrict } from '#server/places/uk-districts.ts';
import { sweepDistricts, sweeps } from '#server/schema/sweeps.ts';
import { users } from '#server/schema/users.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';

export type SweepRecord = typeof sweeps.$inferSelect;

interface Progress {
  total: number;
  done: number;
  failed: number;
  found: number;
  results: number;
  calls: number;
}

const progress = sql<Progress>`(
  select json_build_object('total', count(*), 'done', count(*) filter (where d.state = 'done'),
    'failed', count(*) filter (where d.state = 'failed'), 'found', coalesce(sum(d.found), 0),
    'results', coalesce(sum(d.added), 0), 'calls', coalesce(sum(d.calls), 0))
  from sweep_districts d where d.sweep_id = ${sweeps.id})`;

const shownColumns = { sweep: getTableColumns(sweeps), progress, startedBy: users.fullName };
type StoredSweep = { sweep: SweepRecord; progress: Progress; startedBy: string | null };

export async function insertSweep(tx: Db, values: typeof sweeps.$inferInsert, districts: UkDistrict[]) {
  await tx.insert(sweeps).values(values);
  const rows = districts.map(({ code }, position) => ({ sweepId: values.id, district: code, position }));
  await tx.insert(sweepDistricts).values(rows);
}

export async function findSweep(db: Db, id: string): Promise<Sweep | undefined> {
  const [found] = await db
    .select(shownColumns)
    .from(sweeps)
    .leftJoin(users, eq(users.id, sweeps.userId))
    .where(eq(sweeps.id, id));
  return found && toSweep(found);
}

export async function listLatestSweeps(db: Db, limit: number): Promise<Sweep[]> {
  const found = await db
    .select(shownColumns)
    .from(sweeps)
    .leftJoin(users, eq(users.id, sweeps.userId))
    .orderBy(desc(sweeps.createdAt), sweeps.id)
    .limit(limit);
  return found.map(toSweep);
}

/** Locks the sweep, so that of two requests at once the second sees what the first did. */
export async function lockSweep(tx: Db, id: string): Promise<SweepRecord | undefined> {
  const [sweep] = await tx.select().from(sweeps).where(eq(sweeps.id, id)).for('update');
  return sweep;
}

export async function updateSweep(tx: Db, id: string, values: Partial<typeof sweeps.$inferInsert>) {
  await tx
    .update(sweeps)
    .set({ ...values, updatedAt: sql`now()` })
    .where(eq(sweeps.id, id));
}

/** Begins a run, which also repeats the failed districts. */
export async function beginRun(tx: Db, id: string) {
  await tx
    .update(sweepDistricts)
    .set({ state: 'waiting', error: null })
    .where(and(eq(sweepDistricts.sweepId, id), eq(sweepDistricts.state, 'failed')));
  await updateSweep(tx, id, { state: 'running', stopRequested: null, message: null, finishedAt: null });
}

const isRunning = (id: string) => and(eq(sweeps.id, id), eq(sweeps.state, 'running' satisfies SweepState));

export async function findRunning(tx: Db, id: string): Promise<SweepRecord | undefined> {
  const [sweep] = await tx.select().from(sweeps).where(isRunning(id));
  return sweep;
}

/** Locks the run for a commit, and returns whether it is to stop after it. Undefined if the run is over. */
export async function touchRun(tx: Db, id: string): Promise<{ stopRequested: string | null } | undefined> {
  const [current] = await tx
    .update(sweeps)
    .set({ updatedAt: sql`now()` })
    .where(isRunning(id))
    .returning({ stopRequested: sweeps.stopRequested });
  return current;
}

/** Whether the run is not over, and not asked to stop. */
export const mayGoOn = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(sweeps, and(isRunning(id), isNull(sweeps.stopRequested)))) > 0;

interface RunEnd {
  state: SweepState;
  message: string | null;
}

/** Ends a run that is not over yet. What an administrator asked for meanwhile decides how. */
export async function endRun(db: Db, id: string, { state, message }: RunEnd) {
  const ended = await db
    .update(sweeps)
    .set({
      state:
        state === 'done'
          ? state
          : sql`case ${sweeps.stopRequested} when 'pause' then 'paused' when 'cancel' then 'cancelled' else ${state} end`,
      message: state === 'done' ? message : sql`case when ${sweeps.stopRequested} is null then ${message} end`,
      ...{ stopRequested: null, finishedAt: sql`now()`, updatedAt: sql`now()` },
    })
    .where(isRunning(id))
    .returning({ id: sweeps.id, state: sweeps.state });
  // One that is paused goes on.
  const events = ended.filter((sweep) => sweep.state !== 'paused');
  await recordEvents(
    db,
    events.map((sweep) => ({ type: 'sweep.finished', data: { sweep } })),
  );
}

export async function findNextDistrict(db: Db, sweepId: string): Promise<string | undefined> {
  const [next] = await db
    .select({ district: sweepDistricts.district })
    .from(sweepDistricts)
    .where(and(eq(sweepDistricts.sweepId, sweepId), eq(sweepDistricts.state, 'waiting')))
    .orderBy(asc(sweepDistricts.position))
    .limit(1);
  return next?.district;
}

/** Which of these districts are those of the sweep. */
export async function selectChosen(tx: Db, sweepId: string, districts: string[]): Promise<Set<string>> {
  const chosen = await tx
    .select({ district: sweepDistricts.district })
    .from(sweepDistricts)
    .where(and(eq(sweepDistricts.sweepId, sweepId), inArray(sweepDistricts.district, districts)));
  return new Set(chosen.map(({ district }) => district));
}

export async function updateDistrict(
  tx: Db,
  { sweepId, district }: { sweepId: string; district: string },
  values: PgUpdateSetSource<typeof sweepDistricts>,
) {
  await tx
    .update(sweepDistricts)
    .set(values)
    .where(and(eq(sweepDistricts.sweepId, sweepId), eq(sweepDistricts.district, district)));
}

export async function countDistricts(db: Db, sweepId: string) {
  const { rows } = await db.execute<{ total: number; done: number; failed: number }>(sql`
    select count(*)::int as total, count(*) filter (where state = 'done')::int as done,
      count(*) filter (where state = 'failed')::int as failed
    from sweep_districts where sweep_id = ${sweepId}`);
  return rows[0] ?? { total: 0, done: 0, failed: 0 };
}

/** The calls that sweeps with this provider made in the last 24 hours. */
export async function countRecentCalls(db: Db, provider: string): Promise<number> {
  const { rows } = await db.execute<{ calls: number }>(sql`
    select coalesce(sum(d.calls), 0)::int as calls from sweep_districts d join sweeps s on s.id = d.sweep_id
    where s.provider = ${provider} and d.called_at > now() - interval '24 hours'`);
  return rows[0]?.calls ?? 0;
}

interface DistrictPage {
  state?: SweepDistrictState | undefined;
  page: number;
  after?: number | undefined;
  pageSize: number;
}

export async function listDistricts(db: Db, sweepId: string, { state, page, after, pageSize }: DistrictPage) {
  const matching = and(eq(sweepDistricts.sweepId, sweepId), state && eq(sweepDistricts.state, state));
  // The first position is 0, and the first page is that after 0.
  const listed = after === undefined ? matching : and(matching, gte(sweepDistricts.position, after));
  const rows = await db
    .select()
    .from(sweepDistricts)
    .where(listed)
    .orderBy(asc(sweepDistricts.position))
    .limit(pageSize + 1)
    .offset(after === undefined ? (page - 1) * pageSize : 0);
  const { items: kept, next } = takePage(rows, pageSize, ({ position }) => position + 1);
  const items = kept.map(
    ({ district, state, found, added, more, calls, error }): SweepDistrict => ({
      code: district,
      town: findDistrict(district)?.town ?? '',
      ...{ state, found, added, more, calls, error },
    }),
  );
  const total = await db.$count(sweepDistricts, matching);
  return { items, total, page, pageSize, ...(after !== undefined && { next }) };
}

function toSweep({ sweep, progress, startedBy }: StoredSweep): Sweep {
  const { total, done, failed, found, results, calls } = progress;
  const { id, businessType, keyword, places, provider, state, stopRequested, createdAt, finishedAt, message } = sweep;
  const ended = state !== 'running' && state !== 'cancelled';
  return {
    ...{ id, businessType, keyword, places, provider, state, startedBy, createdAt, finishedAt, message },
    stopping: stopRequested !== null,
    districts: { total, done, failed },
    ...{ found, results, calls },
    canContinue: ended && done < total,
  };
}
