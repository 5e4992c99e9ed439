import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { CREDIT_UNDO_HOURS, type LeftReason, type UndoOutcome } from '#contract/changes/change.ts';
import type { ChangeField } from '#contract/leads/fields/logged-change.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { type StoredActivity, toStoredActivity } from '#server/change-log/change-values.ts';
import type { Db } from '#server/kit/db/db.ts';
import { anyOf } from '#server/kit/db/parameters.ts';
import { leadColumns } from '#server/leads/leads.sql.ts';
import type { changeBatches } from '#server/schema/changes.ts';
import { businesses, contactActivities, leadNoteRevisions, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

const HOUR_MS = 3_600_000;
/** Of the leads with one reason. */
export const MAX_NAMES = 5;

export type Batch = typeof changeBatches.$inferSelect;

/** The leads and businesses of a batch that are taken back in one transaction. */
export interface Part {
  leadIds: number[];
  businessIds: number[];
}

/** Of a batch, or of a part of it. */
const isIn = (batchId: string, part: Part | undefined) =>
  part
    ? sql`batch_id = ${batchId} and (lead_id = any (${sql.param(part.leadIds)}::int[])
        or business_id = any (${sql.param(part.businessIds)}::int[]))`
    : sql`batch_id = ${batchId}`;

/** Whether a job takes this batch back. */
export async function isBeingUndone(db: Db, batchId: string): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`select from jobs where kind = 'undo' and state = 'running' and input ->> 'batchId' = ${batchId}`,
  );
  return rowCount !== 0;
}

export interface Position {
  lead: number;
  business: number;
}

/** The next leads of a batch, then the next businesses, and where they end. Undefined if there are none. */
export async function readNextPart(tx: Db, batchId: string, after: Position = { lead: 0, business: 0 }, limit: number) {
  const next = async (column: SQL, afterId: number) => {
    const { rows } = await tx.execute<{ id: number }>(sql`
      select distinct ${column} as id from changes where batch_id = ${batchId} and ${column} > ${afterId}
      order by 1 limit ${limit}`);
    return rows.map(({ id }) => id);
  };
  const leadIds = await next(sql`lead_id`, after.lead);
  const businessIds = leadIds.length ? [] : await next(sql`business_id`, after.business);
  if (!leadIds.length && !businessIds.length) return undefined;
  const end = { lead: leadIds.at(-1) ?? after.lead, business: businessIds.at(-1) ?? after.business };
  return { leadIds, businessIds, end };
}

/** One change of a batch, with its lead or its business. */
export type BatchChange = {
  id: number;
  lead_id: number | null;
  business_id: number | null;
  field: ChangeField;
  item: string;
  before: unknown;
  after: unknown;
  /** Of the business. */
  name: string;
  /** Whether another batch has changed the same since and was not undone; for a created lead: anything on it. */
  changed_since: boolean;
};

/**
 * Whether a later change stands. A batch, its undo, the undo of that and so on are one chain, of which two in a row cancel
 * each other out: what stands is a chain with an odd number of changes.
 */
const standsLater = (later: SQL) => sql`exists (
  select from changes later
  cross join lateral (
    with recursive chain (id, undoes) as (
      select b.id, b.undoes from change_batches b where b.id = later.batch_id
      union all select b.id, b.undoes from chain join change_batches b on b.id = chain.undoes
    )
    select id from chain where undoes is null) origin
  where ${later} and later.batch_id <> c.batch_id
  group by later.field, later.item, origin.id having count(distinct later.batch_id) % 2 = 1)`;

/** Of the change with the alias `c`. */
const IS_CHANGED_SINCE = sql`case
  when c.moved_from is not null then true -- of a lead that was merged into this one
  when c.field = 'lead' then exists (
    select from contact_activities a
    where a.user_business_id = c.lead_id and not exists (
      -- The follow-up that was planned along with the lead.
      select from changes planned
      where planned.batch_id = c.batch_id and planned.lead_id = c.lead_id and planned.field = 'followUp'
        and (planned.after ->> 'id')::int = a.id and a.completed_at is null))
    or exists (select from lead_comments comment where comment.user_business_id = c.lead_id)
    or ${standsLater(sql`later.lead_id = c.lead_id`)}
  when c.lead_id is not null then ${standsLater(
    sql`later.lead_id = c.lead_id and later.id > c.id and later.field = c.field and later.item = c.item`,
  )}
  else ${standsLater(sql`later.business_id = c.business_id and later.id > c.id and later.field = c.field`)}
end`;

// Of the change with the alias `c` and its lead with the alias `lead`.
const IS_HOLDER_GONE = sql`not exists (select from users where id = (c.before ->> 'userId')::int and active)`;
const IS_ALREADY_HELD = sql`exists (
  select from user_businesses held
  where held.business_id = lead.business_id and held.user_id = (c.before ->> 'userId')::int)`;

function mayChange(viewer: Viewer): SQL {
  const holdsBusiness = sql`exists (
    select from user_businesses held where held.business_id = c.business_id and held.user_id = ${viewer.id})`;
  const mayReassign = viewer.role === 'manager' ? sql`c.field = 'holder'` : sql`false`;
  return viewer.role === 'admin'
    ? sql`true`
    : sql`case when c.lead_id is null then ${holdsBusiness} else lead.user_id = ${viewer.id} or ${mayReassign} end`;
}

/** Of these batches, those with a change that the viewer can take back: see `planUndo`, which decides in the end. */
export async function readUndoable(db: Db, viewer: Viewer, batchIds: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select batch.id from unnest(${sql.param(batchIds)}::uuid[]) as batch (id)
    where exists (
      select from changes c left join user_businesses lead on lead.id = c.lead_id
      where c.batch_id = batch.id and c.field <> 'credit' and ${mayChange(viewer)} and case
        when c.field = 'merge' then exists (select from businesses b where b.id = c.business_id and b.merged_into is null)
        when c.field = 'holder' and (${IS_HOLDER_GONE} or ${IS_ALREADY_HELD}) then false
        else not ${IS_CHANGED_SINCE}
      end)`);
  return new Set(rows.map(({ id: batchId }) => batchId));
}

type OutcomeRow = { reason: LeftReason | null; units: number; leads: number; names: string[] };

/**
 * What undoing a large batch would do, from counts and the first names. A value that was changed without a change of its own, and a limit
 * that restoring would exceed, are found only by `planUndo`.
 */
export async function countOutcome(db: Db, { id, userId, at }: Batch, viewer: Viewer, now: Date): Promise<UndoOutcome> {
  const keepsCredits = userId !== viewer.id || now.getTime() - Date.parse(at) > CREDIT_UNDO_HOURS * HOUR_MS;
  const { rows } = await db.execute<OutcomeRow & { credits: number }>(sql`
    with decided as (
      select c.lead_id, c.business_id, c.field, coalesce(lead.business_name, business.name) as name, case
        when not ${mayChange(viewer)} then 'forbidden'
        when ${IS_CHANGED_SINCE} then case when c.field = 'lead' then 'touched' else 'changed' end
        when c.field = 'holder' and ${IS_HOLDER_GONE} then 'holder_gone'
        when c.field = 'holder' and ${IS_ALREADY_HELD} then 'already_held'
      end as reason
      from changes c left join user_businesses lead on lead.id = c.lead_id
        left join businesses business on business.id = c.business_id
      where c.batch_id = ${id} and c.field <> 'credit'
    ), units as (
      select reason, lead_id, business_id, min(name) as name, bool_or(field = 'lead') as created,
        bool_or(field = 'status') as status
      from decided group by reason, lead_id, business_id
    )
    select reason, count(*)::int as units, count(*) filter (where created)::int as leads,
      (array_agg(name order by name))[1:${MAX_NAMES}::int] as names,
      count(*) filter (where status and exists (
        select from changes c where c.batch_id = ${id} and c.lead_id = units.lead_id and c.field = 'credit' and c.before is null
      ))::int as credits
    from units group by reason`);
  const taken = rows.find(({ reason }) => reason === null);
  return {
    takenBack: taken?.units ?? 0,
    deleted: taken?.leads ?? 0,
    left: rows.flatMap(({ reason, units: count, names }) => (reason ? [{ reason, count, names }] : [])),
    creditsKept: keepsCredits ? (taken?.credits ?? 0) : 0,
  };
}

export async function readChanges(db: Db, batchId: string, part?: Part): Promise<BatchChange[]> {
  const { rows } = await db.execute<BatchChange>(sql`
    select c.id::int8::float8 as id, c.lead_id, c.business_id, c.field, c.item, c.before, c.after,
      coalesce(lead.business_name, business.name) as name,
      ${IS_CHANGED_SINCE} as changed_since
    from changes c
    left join user_businesses lead on lead.id = c.lead_id
    left join businesses business on business.id = c.business_id
    where c.id in (select id from changes where ${isIn(batchId, part)}) order by c.id desc`);
  return rows;
}

interface Reading {
  lock: boolean;
  part?: Part | undefined;
}

/** By id. Locked in the order of their ids, like bulk calls, so that the two cannot deadlock. */
export async function readLeads(db: Db, batchId: string, { lock, part }: Reading): Promise<Map<number, Lead>> {
  const query = db
    .select(leadColumns)
    .from(leads)
    .where(sql`${leads.id} in (select lead_id from changes where ${isIn(batchId, part)})`)
    .orderBy(leads.id);
  const rows = await (lock ? query.for('update') : query);
  return new Map(rows.map((lead) => [lead.id, lead]));
}

const { id, phone, phoneTyped, wrongPhone, website, websiteTyped, town, type, typeGuessed } = businesses;

export async function readBusinesses(db: Db, batchId: string, { lock, part }: Reading) {
  const query = db
    .select({ id, phone, phoneTyped, wrongPhone, website, websiteTyped, town, type, typeGuessed })
    .from(businesses)
    .where(sql`${id} in (select business_id from changes where ${isIn(batchId, part)})`)
    .orderBy(id);
  const rows = await (lock ? query.for('update') : query);
  return new Map(rows.map((business) => [business.id, business]));
}

export type BusinessContact = Awaited<ReturnType<typeof readBusinesses>> extends Map<number, infer B> ? B : never;

/** Which of these businesses a user holds a lead on. */
export async function readHeldBusinesses(db: Db, userId: number, businessIds: number[]): Promise<Set<number>> {
  if (!businessIds.length) return new Set();
  const rows = await db
    .select({ businessId: leads.businessId })
    .from(leads)
    .where(and(eq(leads.userId, userId), anyOf(leads.businessId, businessIds)))
    // Waits for a concurrent reassignment, after which the user may no longer hold the lead.
    .for('share');
  return new Set(rows.map(({ businessId }) => businessId));
}

/** Of the holders before a batch of changes, those to whom leads can be given back. Locked, they stay active. */
export async function readPreviousHolders(db: Db, batchId: string, { lock, part }: Reading): Promise<Set<number>> {
  const query = db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.active, true),
        sql`${users.id} in (select (before->>'userId')::int from changes where ${isIn(batchId, part)} and field = 'holder')`,
      ),
    )
    .orderBy(users.id);
  const rows = await (lock ? query.for('no key update') : query);
  return new Set(rows.map((user) => user.id));
}

/** The users who hold a lead on these businesses. */
export async function readHoldersOf(db: Db, businessIds: number[]): Promise<number[]> {
  const rows = await db
    .selectDistinct({ userId: leads.userId })
    .from(leads)
    .where(anyOf(leads.businessId, businessIds));
  return rows.map(({ userId }) => userId);
}

/** `user business` of every lead on these businesses. */
export async function readHoldings(db: Db, businessIds: number[]): Promise<Set<string>> {
  if (!businessIds.length) return new Set();
  const rows = await db
    .select({ userId: leads.userId, businessId: leads.businessId })
    .from(leads)
    .where(anyOf(leads.businessId, businessIds));
  return new Set(rows.map(({ userId, businessId }) => `${userId} ${businessId}`));
}

/** The kept revisions of the notes of these leads, by lead and version. */
export async function readRevisions(db: Db, leadIds: number[]): Promise<Map<string, string>> {
  if (!leadIds.length) return new Map();
  const { userBusinessId, notesVersion, notes } = leadNoteRevisions;
  const rows = await db
    .select({ leadId: userBusinessId, notesVersion, notes })
    .from(leadNoteRevisions)
    .where(anyOf(userBusinessId, leadIds));
  return new Map(rows.map((row) => [`${row.leadId} ${row.notesVersion}`, row.notes]));
}

export async function readActivities(db: Db, activityIds: number[]): Promise<Map<number, StoredActivity>> {
  if (!activityIds.length) return new Map();
  const rows = await db
    .select()
    .from(contactActivities)
    .where(and(anyOf(contactActivities.id, activityIds), isNotNull(contactActivities.completedAt)));
  return new Map(rows.map((row) => [row.id, toStoredActivity(row)]));
}
