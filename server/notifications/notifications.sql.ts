import type { Db } from '#server/kit/db/db.ts';
import { notifications } from '#server/kit/db/schema.ts';

export type NotificationType = 'lead_assigned' | 'lead_reassigned_to' | 'lead_reassigned_from' | 'import_finished';

export interface NewNotification {
  userId: number;
  type: NotificationType;
  title: string;
  message: string;
  relatedBusinessId?: number;
  relatedUserBusinessId?: number;
  sourceUserId?: number;
}

/** Written in the transaction of what it tells of. */
export async function insertNotifications(db: Db, given: NewNotification[]): Promise<void> {
  if (given.length) await db.insert(notifications).values(given);
}
