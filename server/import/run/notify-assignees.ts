import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { publishNotifications } from '#server/live/publish.ts';
import { SOURCE_NAME } from '#server/notifications/notifications.sql.ts';
import { notifications } from '#server/schema/notifications.ts';

/** By user: the notification of this import and the number of leads in it. */
export type ImportNotices = ReadonlyMap<number, { notificationId: number; leads: number }>;

/** The notifications of the batches that were committed before, for an import that is continued. */
export async function loadNotices(db: Db, batchId: string): Promise<ImportNotices> {
  const { rows } = await db.execute<{ user_id: number; notification_id: number; leads: number }>(sql`
    select n.user_id, n.id as notification_id, (
      select count(*)::int from changes c
      where c.batch_id = n.batch and c.field = 'lead' and (c.after ->> 'userId')::int = n.user_id) as leads
    from notifications n where n.batch = ${batchId} and n.type = 'lead_assigned'`);
  return new Map(rows.map((row) => [row.user_id, { notificationId: row.notification_id, leads: row.leads }]));
}

interface Notice {
  userId: number;
  leads: number;
  message: string;
}

/**
 * Each assignee gets one notification per import: inserted with the first batch, updated with later ones, always in the
 * transaction of the leads. So its count is right whenever an import ends.
 */
export async function notifyAssignees(
  tx: Db,
  notices: ImportNotices,
  leadCounts: Map<number, number>,
  importer: { importerId: number; batchId: string },
): Promise<ImportNotices> {
  const changed = [...leadCounts].filter(([userId]) => userId !== importer.importerId).map(toNotice);
  if (!changed.length) return notices;
  const existing = changed.filter(({ userId }) => notices.has(userId));
  const inserted = await insert(
    tx,
    changed.filter(({ userId }) => !notices.has(userId)),
    importer,
  );
  await update(tx, existing, notices);
  await publishNotifications(
    tx,
    changed.map(({ userId }) => userId),
  );
  const next = new Map(notices);
  for (const { userId, leads } of changed) {
    const notificationId = notices.get(userId)?.notificationId ?? inserted.get(userId);
    if (notificationId !== undefined) next.set(userId, { notificationId, leads });
  }
  return next;

  function toNotice([userId, added]: [number, number]): Notice {
    const leads = (notices.get(userId)?.leads ?? 0) + added;
    const what = leads === 1 ? '1 business' : `${leads.toLocaleString('en-US')} businesses`;
    return { userId, leads, message: `${SOURCE_NAME} imported ${what} for you.` };
  }
}

/** Returns the ids of the notifications, by user. */
async function insert(
  tx: Db,
  added: Notice[],
  { importerId, batchId }: { importerId: number; batchId: string },
): Promise<Map<number, number>> {
  if (!added.length) return new Map();
  const rows = await tx
    .insert(notifications)
    .values(
      added.map(({ userId, message }) => ({
        userId,
        message,
        title: 'New businesses assigned',
        type: 'lead_assigned' as const,
        sourceUserId: importerId,
        batch: batchId,
      })),
    )
    .returning({ id: notifications.id, userId: notifications.userId });
  return new Map(rows.map(({ userId, id }) => [userId, id]));
}

async function update(tx: Db, changed: Notice[], notices: ImportNotices) {
  if (!changed.length) return;
  const rows = changed.map(({ userId, message }) => ({ id: notices.get(userId)?.notificationId, message }));
  await tx.execute(sql`
    update notifications set message = changed.message, read = false, created_at = now()
    from json_to_recordset(${JSON.stringify(rows)}::json) as changed (id integer, message text)
    where notifications.id = changed.id`);
}
