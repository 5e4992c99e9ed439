import { NOTIFICATIONS_EVENT, SETTINGS_EVENT, USERS_EVENT } from '#contract/notifications/events.ts';
import type { Role } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { publish } from '#server/kit/live-events.ts';

const EVERYONE = 'everyone';
const ADMINS = 'admins';
/** Admins and managers: they may open every lead. */
export const STAFF = 'staff';

/** The audiences of a user with this role. */
export const AUDIENCES: Record<Role, string[]> = {
  user: [EVERYONE],
  manager: [EVERYONE, STAFF],
  admin: [EVERYONE, STAFF, ADMINS],
};

export const notificationsMessage = (users: number[]) => ({ topic: NOTIFICATIONS_EVENT, users });
export const publishNotifications = (tx: Db, users: number[]) => publish(tx, notificationsMessage(users));

export const publishUsers = (tx: Db) => publish(tx, { topic: USERS_EVENT, users: [], audience: ADMINS });

export const publishSettings = (tx: Db) => publish(tx, { topic: SETTINGS_EVENT, users: [], audience: EVERYONE });
