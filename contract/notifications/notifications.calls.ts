import { z } from 'zod';
import { call } from '../call.ts';
import { moment, pathId } from '../fields.ts';

export const notificationType = z.enum([
  'lead_assigned',
  'lead_reassigned_to',
  'lead_reassigned_from',
  'import_finished',
]);
export type NotificationType = z.infer<typeof notificationType>;

/** What the bell shows at most; older ones are still counted. */
export const MAX_NOTIFICATIONS = 50;

export const notification = z.strictObject({
  id: z.number(),
  title: z.string(),
  message: z.string(),
  type: notificationType,
  read: z.boolean(),
  relatedBusinessId: z.number().nullable(),
  relatedUserBusinessId: z.number().nullable(),
  /** The related lead's uuid, while there is such a lead and the reader holds it. */
  relatedUuid: z.string().nullable(),
  sourceUserId: z.number().nullable(),
  createdAt: moment,
});
export type Notification = z.infer<typeof notification>;

export const listNotifications = call({
  method: 'GET',
  path: '/api/notifications',
  access: 'user',
  summary: "One's own notifications, newest first, and how many are unread.",
  response: z.strictObject({ items: z.array(notification), unread: z.number() }),
  polled: true,
});

const left = z.strictObject({ unread: z.number() });

export const readNotification = call({
  method: 'POST',
  path: '/api/notifications/:id/read',
  access: 'user',
  summary: "Marks one of one's own notifications as read.",
  params: z.object({ id: pathId }),
  response: left,
});

export const readAllNotifications = call({
  method: 'POST',
  path: '/api/notifications/read-all',
  access: 'user',
  summary: "Marks all of one's own notifications as read.",
  response: left,
});

/** Server-sent events: one named EVENT_NAME whenever something is new for the reader. It says that, and not what. */
export const EVENTS_PATH = '/api/events';
export const EVENT_NAME = 'notifications';
