import { z } from 'zod';
import { call } from '../call.ts';
import { moment, pathId } from '../fields.ts';

const notificationType = z.enum([
  'lead_assigned',
  'lead_reassigned_to',
  'lead_reassigned_from',
  'import_finished',
  'follow_up_due',
  'lead_comment',
  'system_problem',
  'proposal',
]);
export type NotificationType = z.infer<typeof notificationType>;

/** The most that the bell shows; older ones still count as unread. */
export const MAX_NOTIFICATIONS = 50;

export const notification = z.strictObject({
  id: z.number(),
  title: z.string(),
  message: z.string(),
  type: notificationType,
  read: z.boolean(),
  relatedBusinessId: z.number().nullable(),
  relatedUserBusinessId: z.number().nullable(),
  /** The related lead's uuid, while the lead exists and the viewer holds it or, where it is about a comment, may see it. */
  relatedUuid: z.string().nullable(),
  /** How many of the leads of a notification about several the viewer holds. */
  leadCount: z.number(),
  /** The import that ended, while it is kept. */
  importId: z.uuid().nullable(),
  sourceUserId: z.number().nullable(),
  createdAt: moment,
});
export type Notification = z.infer<typeof notification>;

export const listNotifications = call({
  method: 'GET',
  path: '/api/notifications',
  access: 'user',
  summary: "The viewer's notifications, newest first, and the number of unread ones.",
  response: z.strictObject({ items: z.array(notification), unread: z.number() }),
  polled: true,
});

const unreadCount = z.strictObject({ unread: z.number() });

export const readNotification = call({
  method: 'POST',
  path: '/api/notifications/:id/read',
  access: 'user',
  summary: "Marks one of the viewer's notifications as read.",
  params: z.object({ id: pathId }),
  response: unreadCount,
});

export const readAllNotifications = call({
  method: 'POST',
  path: '/api/notifications/read-all',
  access: 'user',
  summary: "Marks all of the viewer's notifications as read.",
  response: unreadCount,
});
