import { z } from 'zod';

/** Server-sent events. They say that something changed, never what: the page refetches, with the usual access checks. */
export const EVENTS_PATH = '/api/events';

/** The viewer has a new notification, or one was marked as read. Without content. */
export const NOTIFICATIONS_EVENT = 'notifications';
/** Leads that the viewer may see, or held until now, have changed. */
export const LEADS_EVENT = 'leads';
/** Accounts have changed; sent to admins. Without content. */
export const USERS_EVENT = 'users';
/** The team's settings have changed; sent to everyone. Without content. */
export const SETTINGS_EVENT = 'settings';

export const leadsChanged = z.strictObject({
  /** Null where there are too many to name. */
  ids: z.array(z.number()).nullable(),
  /** Whether they are, or were, in the viewer's lists: managers may open every lead, but list only their own. */
  inList: z.boolean(),
});
export type LeadsChanged = z.infer<typeof leadsChanged>;
