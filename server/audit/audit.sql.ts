import { and, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import {
  type AuditDetails,
  type AuditEvent,
  type AuditRecord,
  auditDetail,
  auditDetailValue,
} from '#contract/audit/audit.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

export const EXPORT_BATCH = 500;

const { id, at, event, actorId, subjectType, subjectId, ip, outcome, details, program } = auditEvents;
const actors = alias(users, 'actors');
const accounts = alias(users, 'accounts');

export interface EventFilter {
  event?: AuditEvent | undefined;
  /** The user who did it, or the one whom it is about. */
  userId?: number | undefined;
  range?: TimeRange | undefined;
}

interface Page {
  /** The id of the event after which the page starts. */
  before?: number | undefined;
  limit: number;
}

/** A page of events, newest first. */
export async function listEvents(db: Db, filter: EventFilter, page: Page): Promise<AuditRecord[]> {
  const rows = await db
    .select({
      id,
      at,
      event,
      actorId,
      actorUsername: actors.username,
      actorName: actors.fullName,
      subjectType,
      subjectId,
      subjectName: sql<
        string | null
      >`coalesce(nullif(${accounts.fullName}, ''), ${accounts.username}, ${businesses.name})`,
      ip,
      outcome,
      details,
      program,
    })
    .from(auditEvents)
    .leftJoin(actors, eq(actors.id, actorId))
    .leftJoin(accounts, and(eq(subjectType, 'user'), eq(accounts.id, subjectId)))
    .leftJoin(leads, and(eq(subjectType, 'lead'), eq(leads.id, subjectId)))
    .leftJoin(businesses, eq(businesses.id, leads.businessId))
    .where(inArray(id, findIds(db, filter, page)))
    .orderBy(desc(at), desc(id))
    .limit(page.limit);
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    event: row.event,
    actor: row.actorId === null ? null : toActor(row.actorId, row.actorUsername, row.actorName),
    subject:
      row.subjectType && row.subjectId !== null
        ? { type: row.subjectType, id: row.subjectId, name: row.subjectName }
        : null,
    ip: row.ip,
    outcome: row.outcome,
    details: toDetails(row.details),
    ...(row.program !== null && { program: row.program }),
  }));
}

/** All matching events, newest first, read in batches, so that memory does not grow with their number. */
export async function* eventsToExport(db: Db, filter: EventFilter): AsyncGenerator<AuditRecord[]> {
  let before: number | undefined;
  do {
    const events = await listEvents(db, filter, { before, limit: EXPORT_BATCH });
    yield events;
    before = events.length === EXPORT_BATCH ? events.at(-1)?.id : undefined;
  } while (before !== undefined);
}

export const countEvents = (db: Db, { userId, ...filter }: EventFilter): Promise<number> =>
  db.$count(auditEvents, and(matches(filter), userId === undefined ? undefined : concerns(userId)));

/** The ids of the events of a page. For one user these are up to two pages, each read in the order of its index. */
function findIds(db: Db, { userId, ...filter }: EventFilter, { before, limit }: Page) {
  const newest = (condition?: SQL) =>
    db
      .select({ id, at })
      .from(auditEvents)
      .where(and(condition, matches(filter), before === undefined ? undefined : isOlderThan(before)))
      .orderBy(desc(at), desc(id))
      .limit(limit);
  if (userId === undefined) {
    const page = newest().as('page');
    return db.select({ id: page.id }).from(page);
  }
  const page = newest(eq(actorId, userId))
    .unionAll(newest(isAbout(userId)))
    .as('page');
  return db.select({ id: page.id }).from(page);
}

const matches = ({ event: name, range }: Omit<EventFilter, 'userId'>) =>
  and(name && eq(event, name), range && gte(at, range.from.toISOString()), range && lt(at, range.to.toISOString()));

const isAbout = (userId: number) => and(eq(subjectType, 'user'), eq(subjectId, userId));
const concerns = (userId: number) => or(eq(actorId, userId), isAbout(userId));

/** By the time and the id of an event. One that is no longer kept was the oldest, so that nothing is older. */
const isOlderThan = (eventId: number) =>
  sql`(${at}, ${id}) < (select cursor.at, cursor.id from audit_events cursor where cursor.id = ${eventId})`;

const toActor = (userId: number, username: string | null, fullName: string | null) => ({
  id: userId,
  username: username ?? DELETED_USER,
  fullName: fullName ?? '',
});

/** Only the details that the contract knows: those of another version may be more than administrators should see. */
function toDetails(stored: Record<string, unknown>): AuditDetails {
  const known: AuditDetails = {};
  for (const name of auditDetail.options) {
    const { data } = name in stored ? auditDetailValue.safeParse(stored[name]) : {};
    if (data !== undefined) known[name] = data;
  }
  return known;
}
