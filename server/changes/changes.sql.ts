import { type SQL, sql } from 'drizzle-orm';
import type { ChangeKind } from '#contract/changes/change.ts';
import type { ChangeFilter } from '#contract/changes/changes.calls.ts';
import type { ChangeField, ChangeSource } from '#contract/leads/fields/logged-change.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';

/** A batch as the list shows it. */
export type BatchRow = {
  id: string;
  at: string;
  kind: ChangeKind;
  source: ChangeSource;
  count: number;
  created: number | null;
  user_id: number | null;
  username: string | null;
  full_name: string | null;
  undid: ChangeKind | null;
  undone_at: string | null;
  undoing: boolean;
  program: string | null;
};

/** A change with the business it is about. */
export type ChangeRow = {
  id: number;
  batch_id: string;
  field: ChangeField;
  item: string;
  before: unknown;
  after: unknown;
  name: string;
  uuid: string | null;
  holder_id: number | null;
};

interface Scope {
  viewer: Viewer;
  filter: ChangeFilter;
  timeZone: string;
}

interface Page extends Scope {
  /** The last batch of the page before. */
  after?: { at: string; id: string } | undefined;
  limit: number;
}

/** Batches, newest first: the viewer's own, for admins everyone's. */
export async function listBatches(db: Db, { after, limit, ...scope }: Page): Promise<BatchRow[]> {
  const where = matches(scope);
  if (after) where.push(sql`(b.at, b.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  return readBatches(db, sql.join(where, sql` and `), limit);
}

/** The number of changes in these batches. */
export async function countChanges(db: Db, scope: Scope): Promise<number> {
  const { rows } = await db.execute<{ changes: number }>(sql`
    select count(*)::int as changes from changes c join change_batches b on b.id = c.batch_id
    where ${sql.join(matches(scope), sql` and `)}`);
  return rows[0]?.changes ?? 0;
}

function matches({ viewer, filter: { userId, kind, day }, timeZone }: Scope): SQL[] {
  const where: SQL[] = [sql`true`];
  if (viewer.role !== 'admin') where.push(sql`b.user_id = ${viewer.id}`);
  if (userId !== undefined) where.push(sql`b.user_id = ${userId}`);
  if (kind) where.push(sql`b.kind = ${kind}`);
  if (day) {
    const startOf = (date: SQL) => sql`${date}::timestamp at time zone ${timeZone}`;
    where.push(sql`b.at >= ${startOf(sql`${day}::date`)} and b.at < ${startOf(sql`(${day}::date + 1)`)}`);
  }
  return where;
}

export async function readBatch(db: Db, batchId: string): Promise<BatchRow | undefined> {
  const [batch] = await readBatches(db, sql`b.id = ${batchId}`, 1);
  return batch;
}

async function readBatches(db: Db, where: SQL, limit: number): Promise<BatchRow[]> {
  const { rows } = await db.execute<BatchRow>(sql`
    select b.id, b.at, b.kind, b.source, b.count, i.created, u.id as user_id, u.username, u.full_name,
      b.program, original.kind as undid, undone.at as undone_at,
      exists (select from jobs where jobs.id = undone.id and jobs.state = 'running') as undoing
    from (select * from change_batches b where ${where} order by b.at desc, b.id desc limit ${limit}) b
    left join users u on u.id = b.user_id
    left join imports i on i.batch_id = b.id and b.kind = 'import'
    left join change_batches original on original.id = b.undoes
    left join change_batches undone on undone.undoes = b.id
    order by b.at desc, b.id desc`);
  return rows.map((row) => ({ ...row, at: toIso(row.at), undone_at: row.undone_at && toIso(row.undone_at) }));
}

/** PostgreSQL's text of a moment, which raw queries return, as ISO 8601. */
const toIso = (moment: string) => new Date(moment).toISOString();

const CHANGE_ROW = sql`
  c.id::float8 as id, c.batch_id, c.field, c.item, c.before, c.after, business.name, lead.uuid, lead.user_id as holder_id
  from changes c
  left join user_businesses lead on lead.id = c.lead_id
  join businesses business on business.id = coalesce(lead.business_id, c.business_id)`;

/** The first change of each batch, by batch. */
export async function readFirstChanges(db: Db, batchIds: string[]): Promise<Map<string, ChangeRow>> {
  const { rows } = await db.execute<ChangeRow>(sql`
    select first.* from unnest(${sql.param(batchIds)}::uuid[]) as batch (id)
    cross join lateral (select ${CHANGE_ROW} where c.batch_id = batch.id order by c.id limit 1) first`);
  return new Map(rows.map((row) => [row.batch_id, row]));
}

/** The changes of a batch in their order, after the one with this id. */
export async function readChangesAfter(db: Db, batchId: string, afterId: number, limit: number): Promise<ChangeRow[]> {
  const { rows } = await db.execute<ChangeRow>(
    sql`select ${CHANGE_ROW} where c.batch_id = ${batchId} and c.id > ${afterId} order by c.id limit ${limit}`,
  );
  return rows;
}
