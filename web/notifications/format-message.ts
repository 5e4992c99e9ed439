import type { Notification } from '#contract/notifications/notifications.calls.ts';
import { zoneSuffix } from '#web/kit/format.ts';

/** The message, with the team's zone after the time of a reminder where the viewer's clock shows another. */
export function formatMessage({ type, message, createdAt }: Notification, timeZone: string | undefined): string {
  if (type !== 'follow_up_due' || !timeZone) return message;
  // The server stores "Call at 16:00: …" before it knows who reads it where. A reminder is created when it is due.
  return message.replace(/^\w+ at \d\d:\d\d/, (step) => step + zoneSuffix(createdAt, timeZone));
}
