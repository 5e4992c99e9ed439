import { type SQL, sql } from 'drizzle-orm';
import type { ChangeField, ChangeSource } from '#contract/leads/fields/logged-change.ts';
import { type ActivityType, DELETED_USER, type Lead } from '#contract/leads/lead.ts';
import type { TimelineFilter } from '#contract/leads/timeline/timeline.calls.ts';
import type { Db } from '#server/kit/db/db.ts';

/** Where in a source a page begins: its first row, at that moment and with that id. */
export interface Position {
  at: string;
  id: number;
}

interface Data {
  activity: { type: ActivityType; outcome: string | null; description: string };
  change: {
    field: ChangeField;
    item: string;
    before: unknown;
    after: unknown;
    source: ChangeSource;
    undo: boolean;
    done: boolean;
  };
  assignment: { previous: string | null; next: string; notes: string | null };
  credit: { holder: string; counted: boolean };
  comment: { createdBy: number | null; text: string };
}

/** An entry as a source has it. */
export type TimelineRow = {
  [K in keyof Data]: Position & { user: string | null; program: string | null; kind: K; data: Data[K] };
}[keyof Data];

interface Source {
  isShown: (show: TimelineFilter) => boolean;
  /** Its rows from the position on, newest first, in the order of an index. */
  select: (lead: Lead, from: Position, show: TimelineFilter) => SQL;
}

const userName = (userId: string) =>
  sql`coalesce((select coalesce(nullif(full_name, ''), username) from users where id = ${sql.raw(userId)}), ${DELETED_USER})`;

/** The change log has the user who earned the credit. */
const credits: Source = {
  isShown: (show) => show !== 'changes',
  select: (lead, from) => sql`
    select 'credit' as kind, lead_id as id, credited_at as at, earned.user, earned.program,
      jsonb_build_object('holder', ${userName('contact_credits.user_id')}, 'counted', counted) as data
    from contact_credits left join lateral (
      select ${userName('batch.user_id')} as user, batch.program
      from changes change join change_batches batch on batch.id = change.batch_id
      where change.lead_id = ${lead.id} and field = 'credit' and before is null
      order by change.id desc limit 1) earned on true
    where lead_id = ${lead.id} and credited_at <= ${from.at}::timestamptz`,
};

const assignments: Source = {
  isShown: (show) => show !== 'contacts',
  select: (lead, from) => sql`
    select 'assignment' as kind, id, changed_at as at, ${userName('changed_by')} as user, program,
      jsonb_build_object('previous', case when not initial then ${userName('previous_user_id')} end,
        'next', ${userName('new_user_id')}, 'notes', notes) as data
    from assignment_history where user_business_id = ${lead.id} and id <= ${from.id}::bigint
    order by id desc`,
};

/** Whether a follow-up was removed because its contact was logged: both are in one batch. */
const isDone = sql`field = 'followUp' and before is not null and batch.kind <> 'undo' and exists (
  select from changes activity where activity.lead_id = change.lead_id and activity.batch_id = change.batch_id
    and activity.field = 'activity' and activity.before is null)`;

/**
 * The changes that no other source shows. By id, which is the order they were made in: a batch of several requests has
 * the moment of the first one.
 */
const selectChanges = (condition: SQL, from: Position) => sql`
  select 'change' as kind, change.id, batch.at, ${userName('batch.user_id')} as user, batch.program,
    jsonb_build_object('field', field, 'item', item, 'before', before, 'after', after, 'source', batch.source,
      'undo', batch.kind = 'undo', 'done', ${isDone}) as data
  from changes change join change_batches batch on batch.id = change.batch_id
  where ${condition} and change.id <= ${from.id}::bigint
    and field not in ('lead', 'holder', 'activity') and (field <> 'credit' or after is null)
  order by change.id desc`;

const leadChanges: Source = {
  isShown: (show) => show !== 'contacts',
  select: (lead, from) => selectChanges(sql`change.lead_id = ${lead.id}`, from),
};

/** The changes of what all leads on the business share. */
const businessChanges: Source = {
  isShown: (show) => show !== 'contacts',
  select: (lead, from) => selectChanges(sql`change.business_id = ${lead.businessId}`, from),
};

const OF_TYPE: Record<TimelineFilter, SQL> = {
  all: sql`true`,
  contacts: sql`type <> 'note'`,
  changes: sql`type = 'note'`,
};

const activities: Source = {
  isShown: () => true,
  select: (lead, from, show) => sql`
    select 'activity' as kind, id, created_at as at, ${userName('created_by')} as user, program,
      jsonb_build_object('type', type, 'outcome', outcome, 'description', description) as data
    from contact_activities
    where user_business_id = ${lead.id} and (created_at, id) <= (${from.at}::timestamptz, ${from.id}::bigint)
      and (scheduled_at is null or completed_at is not null) and ${OF_TYPE[show]}
    order by created_at desc, id desc`,
};

const comments: Source = {
  isShown: (show) => show === 'all',
  select: (lead, from) => sql`
    select 'comment' as kind, id, created_at as at, ${userName('created_by')} as user, program,
      jsonb_build_object('createdBy', created_by, 'text', text) as data
    from lead_comments
    where user_business_id = ${lead.id} and (created_at, id) <= (${from.at}::timestamptz, ${from.id}::bigint)
    order by created_at desc, id desc`,
};

/** Of entries with the same moment, the one of the first source is the newest. */
export const SOURCES = [credits, assignments, leadChanges, businessChanges, activities, comments];

/** The first rows of each source, in its order; none of a source without a position. */
export async function readSources(
  db: Db,
  lead: Lead,
  { show, from, limit }: { show: TimelineFilter; from: (Position | undefined)[]; limit: number },
): Promise<TimelineRow[][]> {
  const selects = SOURCES.flatMap(({ isShown, select }, nth) => {
    const position = from[nth];
    if (!position || !isShown(show)) return [];
    return sql`select ${nth}::int as nth, source.* from (${select(lead, position, show)} limit ${limit}) source`;
  });
  if (!selects.length) return SOURCES.map(() => []);
  const { rows } = await db.execute<TimelineRow & { nth: number } & Record<string, unknown>>(
    sql.join(selects, sql` union all `),
  );
  return SOURCES.map((_, nth) =>
    rows
      .filter((row) => row.nth === nth)
      .map((row) => ({ ...row, id: Number(row.id), at: new Date(row.at).toISOString() })),
  );
}
