import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { notifications } from '#server/kit/db/schema.ts';
import { publish } from '#server/kit/live-events.ts';
import { SOURCE_NAME } from '#server/notifications/notifications.sql.ts';

/** The one notification that each holder has of this import, and the leads it speaks of. */
export type Told = ReadonlyMap<number, { notificationId: number; leads: number }>;

interface News {
  userId: number;
  leads: number;
  message: string;
}

/**
 * One notification for each user who receives leads, whatever their number: written with the first batch, brought up
 * to date with the next ones, each in the transaction of its leads. Whenever an import ends, everybody has been told of
 * exactly what they have.
 */
export async function tellHolders(
  tx: Db,
  told: Told,
  received: Map<number, number>,
  importer: { id: number },
): Promise<Told> {
  const news: News[] = [...received]
    // Nobody needs to be told what they have just done themselves.
    .filter(([userId]) => userId !== importer.id)
    .map(([userId, more]) => {
      const leads = (told.get(userId)?.leads ?? 0) + more;
      const what = leads === 1 ? '1 business' : `${leads.toLocaleString('en-US')} businesses`;
      return { userId, leads, message: `${SOURCE_NAME} imported ${what} for you.` };
    });
  if (!news.length) return told;

  const next = new Map(told);
  const written = await insert(
    tx,
    news.filter(({ userId }) => !told.has(userId)),
    importer.id,
  );
  for (const { userId, id } of written) next.set(userId, { notificationId: id, leads: 0 });
  await update(
    tx,
    news.filter(({ userId }) => told.has(userId)),
    told,
  );
  for (const { userId, leads } of news) {
    const notice = next.get(userId);
    if (notice) next.set(userId, { ...notice, leads });
  }
  await publish(
    tx,
    news.map(({ userId }) => userId),
  );
  return next;
}

async function insert(tx: Db, news: News[], importerId: number) {
  if (!news.length) return [];
  return tx
    .insert(notifications)
    .values(
      news.map(({ userId, message }) => ({
        userId,
        message,
        title: 'New businesses assigned',
        type: 'lead_assigned' as const,
        sourceUserId: importerId,
      })),
    )
    .returning({ id: notifications.id, userId: notifications.userId });
}

async function update(tx: Db, news: News[], told: Told) {
  if (!news.length) return;
  const rows = news.map(({ userId, message }) => ({ id: told.get(userId)?.notificationId, message }));
  await tx.execute(sql`
    update notifications set message = given.message, read = false, created_at = now()
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id integer, message text)
    where notifications.id = given.id`);
}
