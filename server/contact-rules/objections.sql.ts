import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Objection } from '#contract/contact-rules/objection.ts';
import { OBJECTIONS_PAGE_SIZE, type ObjectionFilter } from '#contract/contact-rules/objections.calls.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { Db } from '#server/kit/db/db.ts';
import { objections } from '#server/schema/objections.ts';
import { loadObjectionKey } from './objection-facts.sql.ts';
import { hashSubject, toEmailKey, toNumberKeys } from './subjects.ts';

const nameOf = (user: string) =>
  sql.raw(`coalesce(nullif(${user}.full_name, ''), ${user}.username, '${DELETED_USER}')`);

const READ = sql`select objection.id, objection.channel, objection.since, objection.words, objection.source,
    objection.recorded_at as "recordedAt", ${nameOf('recorder')} as "recordedBy",
    objection.lifted_at as "liftedAt", ${nameOf('lifter')} as "liftedBy", objection.lift_reason as "liftReason",
    (select jsonb_agg(jsonb_build_object('kind', kind, 'value', value, 'hash', hash) order by kind desc, value)
      from objection_subjects where objection_id = objection.id) as subjects
  from objections objection left join users recorder on recorder.id = objection.recorded_by
    left join users lifter on lifter.id = objection.lifted_by`;

export interface ObjectionRow extends Omit<Objection, 'lifted' | 'subjects'>, Record<string, unknown> {
  liftedAt: string | null;
  liftedBy: string;
  liftReason: string | null;
  subjects: (Objection['subjects'][number] & { hash: string })[] | null;
}

const iso = (moment: string) => new Date(moment).toISOString();

/** Its hashes stay on the server. */
export const toObjection = ({ liftedAt, liftedBy, liftReason, subjects, ...row }: ObjectionRow): Objection => ({
  ...row,
  since: iso(row.since),
  recordedAt: iso(row.recordedAt),
  subjects: (subjects ?? []).map(({ kind, value }) => ({ kind, value })),
  lifted: liftedAt === null ? null : { at: iso(liftedAt), by: liftedBy, reason: liftReason ?? '' },
});

const read = async (db: Db, rest: SQL) => (await db.execute<ObjectionRow>(sql`${READ} ${rest}`)).rows;

export async function findObjection(db: Db, id: string): Promise<Objection | undefined> {
  const [row] = await read(db, sql`where objection.id = ${id}::uuid`);
  return row && toObjection(row);
}

/** The objections on any of these hashes, those that stand first. */
export async function listObjectionsOn(db: Db, hashes: string[]): Promise<Objection[]> {
  const rows = await read(
    db,
    sql`where objection.id in (select objection_id from objection_subjects where hash = any (${sql.param(hashes)}::text[]))
      order by objection.lifted_at is not null, objection.since desc, objection.id limit 100`,
  );
  return rows.map(toObjection);
}

export async function listObjectionPage(db: Db, filter: ObjectionFilter & { page: number }) {
  const where = await matches(db, filter);
  const { rows: counted } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from objections objection ${where}`,
  );
  const rows = await read(
    db,
    sql`${where} order by objection.recorded_at desc, objection.id desc
      limit ${OBJECTIONS_PAGE_SIZE} offset ${(filter.page - 1) * OBJECTIONS_PAGE_SIZE}`,
  );
  return { items: rows.map(toObjection), total: counted[0]?.total ?? 0 };
}

const EXPORT_BATCH = 1_000;

/** All that match, the first recorded first, in batches. */
export async function* objectionsToExport(db: Db, filter: ObjectionFilter): AsyncGenerator<ObjectionRow[]> {
  const where = await matches(db, filter);
  let last: ObjectionRow | undefined;
  do {
    const after: SQL = last
      ? sql`and (objection.recorded_at, objection.id) > (${last.recordedAt}::timestamptz, ${last.id}::uuid)`
      : sql``;
    const rows = await read(
      db,
      sql`${where} ${after} order by objection.recorded_at, objection.id limit ${EXPORT_BATCH}`,
    );
    if (rows.length) yield rows;
    last = rows.length === EXPORT_BATCH ? rows.at(-1) : undefined;
  } while (last);
}

/** Text finds a part of what is shown, and a whole number or address also where only its hash is kept. */
async function matches(db: Db, { q, channel, lifted }: ObjectionFilter): Promise<SQL> {
  const conditions = [sql`true`];
  if (!lifted) conditions.push(sql`objection.lifted_at is null`);
  if (channel) conditions.push(sql`objection.channel = ${channel}`);
  if (q) {
    const key = await loadObjectionKey(db);
    const hashes = [
      ...toNumberKeys(q).map((number) => hashSubject(key, { kind: 'number', key: number })),
      ...[toEmailKey(q)].flatMap((email) => (email ? [hashSubject(key, { kind: 'email', key: email })] : [])),
    ];
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`exists (select from objection_subjects subject where subject.objection_id = objection.id
      and (subject.value ilike ${pattern} or subject.hash = any (${sql.param(hashes)}::text[])))`);
  }
  return sql`where ${sql.join(conditions, sql` and `)}`;
}

/** Whether it stood until now. */
export async function liftObjection(
  tx: Db,
  id: string,
  { reason, viewerId, now }: { reason: string; viewerId: number; now: Date },
): Promise<boolean> {
  const lifted = await tx
    .update(objections)
    .set({ liftedAt: now.toISOString(), liftedBy: viewerId, liftReason: reason })
    .where(and(eq(objections.id, id), isNull(objections.liftedAt)))
    .returning({ id: objections.id });
  return lifted.length > 0;
}
