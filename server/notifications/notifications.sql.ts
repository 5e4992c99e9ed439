import { and, desc, eq, sql } from 'drizzle-orm';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { MAX_NOTIFICATIONS, type NotificationType } from '#contract/notifications/notifications.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads, notifications, users } from '#server/kit/db/schema.ts';
import { publish } from '#server/kit/live-events.ts';

/**
 * Begins a stored message in place of its source user's name. The name is read when the message is shown: a renamed user
 * has the new one in it, a deleted user none.
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
}

const { id, userId, read, relatedUserBusinessId } = notifications;

/** Written in the transaction of what it tells of; who is connected hears of it when that is committed. */
export async function insertNotifications(db: Db, given: NewNotification[]): Promise<void> {
  if (!given.length) return;
  await db.insert(notifications).values(given);
  await publish(db, [...new Set(given.map((each) => each.userId))]);
}

export async function notificationsOf(db: Db, reader: number) {
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
      sourceUserId,
      sourceName: users.fullName,
      createdAt,
    })
    .from(notifications)
    // Only as long as the reader holds the lead: a link to somebody else's would lead to a refusal.
    .leftJoin(leads, and(eq(leads.id, relatedUserBusinessId), eq(leads.userId, reader)))
    .leftJoin(users, eq(users.id, sourceUserId))
    .where(eq(userId, reader))
    .orderBy(desc(notifications.createdAt), desc(id))
    .limit(MAX_NOTIFICATIONS);
  const items = rows.map(({ sourceName, ...item }) => ({ ...item, message: showSource(item.message, sourceName) }));
  return { items, unread: await unreadOf(db, reader) };
}

function showSource(message: string, name: string | null): string {
  if (!message.startsWith(SOURCE_NAME)) return message;
  return (name ?? `A ${DELETED_USER}`) + message.slice(SOURCE_NAME.length);
}

export async function unreadOf(db: Db, reader: number): Promise<number> {
  return db.$count(notifications, and(eq(userId, reader), eq(read, false)));
}

/** Whether there is such a notification of this reader. */
export async function markRead(db: Db, reader: number, notificationId: number): Promise<boolean> {
  const marked = await db
    .update(notifications)
    .set({ read: true })
    .where(and(eq(id, notificationId), eq(userId, reader)))
    .returning({ id });
  return marked.length > 0;
}

export async function markAllRead(db: Db, reader: number): Promise<void> {
  await db
    .update(notifications)
    .set({ read: true })
    .where(and(eq(userId, reader), sql`not ${read}`));
}
