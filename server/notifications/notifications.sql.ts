import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { canListTeam } from '#contract/leads/lead-policy.ts';
import { MAX_NOTIFICATIONS, type NotificationType } from '#contract/notifications/notifications.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { anyOf } from '#server/kit/db/parameters.ts';
import { publishNotifications } from '#server/live/publish.ts';
import { imports } from '#server/schema/imports.ts';
import { leads } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { users } from '#server/schema/users.ts';

/**
 * Placeholder for the source user's name at the start of a stored message. It is replaced when the message is read, so
 * that a renamed user appears with the new name and a deleted user with none.
 */
export const SOURCE_NAME = '{source}';

export interface NewNotification {
  userId: number;
  type: NotificationType;
  title: string;
  message: string;
  relatedBusinessId?: number;
  relatedUserBusinessId?: number;
  sourceUserId?: number;
  leadIds?: number[];
  /** The batch of changes that caused it. */
  batch?: string;
  /** The comment that it is about. */
  commentId?: number;
  /** Merges the notifications of one source to one user in the same batch: the texts for several leads. */
  ofMany?: { title: string; message: string };
}

/** Placeholder for the number of leads in the texts for several. */
export const COUNT = '{count}';

const { id, userId, read, relatedUserBusinessId, leadIds } = notifications;

/** Pass the transaction of the change: connected users get an event when it is committed. */
export async function insertNotifications(db: Db, newNotifications: NewNotification[]): Promise<void> {
  await storeNotifications(db, newNotifications);
  await publishNotifications(db, recipients(newNotifications));
}

export const recipients = (newNotifications: NewNotification[]) => [
  ...new Set(newNotifications.map((each) => each.userId)),
];

/** Without an event, which the caller publishes. */
export async function storeNotifications(db: Db, newNotifications: NewNotification[]): Promise<void> {
  const separate = newNotifications.filter(({ ofMany }) => !ofMany);
  if (separate.length) await db.insert(notifications).values(separate.map(withPush));
  for (const { ofMany, ...notice } of newNotifications) if (ofMany) await addToBatch(db, notice, ofMany);
}

/** Only where a device may ring: the others have nothing to look for. */
const withPush = (notice: NewNotification) => ({
  ...notice,
  pushDue: sql`exists (select from push_subscriptions where user_id = ${notice.userId})`,
});

async function addToBatch(db: Db, notice: NewNotification, { title, message }: { title: string; message: string }) {
  const countIn = (text: string) =>
    sql`replace(${text}, ${COUNT}, (cardinality(${leadIds}) + cardinality(excluded.lead_ids))::text)`;
  await db
    .insert(notifications)
    .values(withPush(notice))
    .onConflictDoUpdate({
      target: [userId, notifications.sourceUserId, notifications.batch],
      targetWhere: sql`${notifications.batch} is not null`,
      set: {
        title: countIn(title),
        message: countIn(message),
        leadIds: sql`${leadIds} || excluded.lead_ids`,
        relatedBusinessId: null,
        relatedUserBusinessId: null,
        read: false,
        pushDue: sql`excluded.push_due`,
        createdAt: sql`now()`,
      },
    });
}

export async function newestNotifications(db: Db, reader: Viewer) {
  const readerId = reader.id;
  const { title, message, type, relatedBusinessId, sourceUserId, createdAt } = notifications;
  const rows = await db
    .select({
      id,
      title,
      message,
      type,
      read,
      relatedBusinessId,
      relatedUserBusinessId,
      relatedUuid: leads.uuid,
      leadCount: sql<number>`case when ${relatedUserBusinessId} is not null or ${leadIds} is null then 0 else (
        select count(*)::int from user_businesses held where held.id = any (${leadIds}) and held.user_id = ${readerId}) end`,
      importId: imports.id,
      sourceUserId,
      sourceName: users.fullName,
      createdAt,
    })
    .from(notifications)
    // Only while the reader holds the lead: a link to another user's lead would be refused. Comments are also read by those
    // who may see every lead.
    .leftJoin(
      leads,
      and(
        eq(leads.id, relatedUserBusinessId),
        canListTeam(reader) ? or(eq(leads.userId, readerId), eq(type, 'lead_comment')) : eq(leads.userId, readerId),
      ),
    )
    .leftJoin(users, eq(users.id, sourceUserId))
    .leftJoin(imports, and(eq(imports.batchId, notifications.batch), eq(type, 'import_finished')))
    .where(eq(userId, readerId))
    .orderBy(desc(notifications.createdAt), desc(id))
    .limit(MAX_NOTIFICATIONS);
  const items = rows.map(({ sourceName, ...item }) => ({ ...item, message: showSource(item.message, sourceName) }));
  return { items, unread: await countUnread(db, readerId) };
}

export function showSource(message: string, name: string | null): string {
  if (!message.startsWith(SOURCE_NAME)) return message;
  return (name ?? `A ${DELETED_USER}`) + message.slice(SOURCE_NAME.length);
}

export async function countUnread(db: Db, readerId: number): Promise<number> {
  return db.$count(notifications, and(eq(userId, readerId), eq(read, false)));
}

/** Whether the reader has such a notification. */
export async function markRead(db: Db, readerId: number, notificationId: number): Promise<boolean> {
  const marked = await db
    .update(notifications)
    .set({ read: true })
    .where(and(eq(id, notificationId), eq(userId, readerId)))
    .returning({ id });
  return marked.length > 0;
}

/**
 * Marks the viewer's notifications about a lead as read when they open it; one about several leads when all of them that
 * they hold have been opened.
 */
export async function markLeadRead(tx: Db, readerId: number, leadId: number): Promise<void> {
  const opened = await tx
    .update(notifications)
    .set({ read: true })
    .where(
      and(
        eq(userId, readerId),
        sql`not ${read}`,
        sql`(${relatedUserBusinessId} = ${leadId} or ${leadId} = any (${leadIds}) and not exists (
          select from user_businesses held where held.id = any (${leadIds}) and held.user_id = ${readerId} and not held.viewed))`,
      ),
    )
    .returning({ id });
  if (opened.length) await publishNotifications(tx, [readerId]);
}

/** Marks the reminders of these leads as read, because their follow-up was completed, moved or dropped. */
export async function markRemindersRead(tx: Db, reminded: number[]): Promise<void> {
  const marked = await tx
    .update(notifications)
    .set({ read: true })
    .where(and(anyOf(relatedUserBusinessId, reminded), eq(notifications.type, 'follow_up_due'), sql`not ${read}`))
    .returning({ userId });
  await publishNotifications(tx, [...new Set(marked.map((each) => each.userId))]);
}

/** Marks the reader's notification of what has this batch as read, because it is done. */
export async function markBatchRead(tx: Db, readerId: number, batch: string): Promise<void> {
  const mine = and(eq(userId, readerId), eq(notifications.batch, batch), sql`not ${read}`);
  const marked = await tx.update(notifications).set({ read: true }).where(mine).returning({ id });
  if (marked.length) await publishNotifications(tx, [readerId]);
}

/** That an import ended stays true when it is undone. */
const isAboutLeads = ne(notifications.type, 'import_finished');

/** Deletes the unread notifications of these users that have one of these batches. Returns who had one. */
export async function withdrawNotifications(tx: Db, batches: string[], userIds: number[]): Promise<number[]> {
  if (!userIds.length) return [];
  const withdrawn = await tx
    .delete(notifications)
    .where(and(inArray(userId, userIds), inArray(notifications.batch, batches), isAboutLeads, sql`not ${read}`))
    .returning({ userId });
  const notified = [...new Set(withdrawn.map((each) => each.userId))];
  await publishNotifications(tx, notified);
  return notified;
}

/** Deletes the notifications of a comment that is about to be deleted. */
export async function withdrawCommentNotifications(tx: Db, commentId: number): Promise<void> {
  const withdrawn = await tx.delete(notifications).where(eq(notifications.commentId, commentId)).returning({ userId });
  await publishNotifications(tx, [...new Set(withdrawn.map((each) => each.userId))]);
}

export async function markAllRead(db: Db, readerId: number): Promise<void> {
  await db
    .update(notifications)
    .set({ read: true })
    .where(and(eq(userId, readerId), sql`not ${read}`));
}
