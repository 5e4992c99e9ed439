import { formatTime } from '#contract/format.ts';
import { ACTIVITY_TYPE_LABEL } from '#contract/leads/lead.ts';
import type { Db } from '#server/kit/db/db.ts';
import { insertNotifications, type NewNotification } from '#server/notifications/notifications.sql.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';
import { claimDueFollowUps, type DueFollowUp } from './reminders.sql.ts';

const DAY_MS = 24 * 60 * 60_000;
export const REMINDERS_PER_STEP = 200;
const MAX_NOTE_LENGTH = 200;

/** Notifies the holders of some follow-ups that are due, of each once in all processes. Returns how many. */
export async function sendDueReminders(tx: Db, now: Date, timeZone: string): Promise<number> {
  const since = new Date(now.getTime() - DAY_MS);
  const due = await claimDueFollowUps(tx, { now, since, limit: REMINDERS_PER_STEP });
  await insertNotifications(
    tx,
    due.map((followUp) => toNotification(followUp, timeZone)),
  );
  await recordEvents(
    tx,
    due.map(({ leadId, type, scheduledAt }) => {
      const followUp = { type, dueAt: new Date(scheduledAt).toISOString() };
      return { type: 'follow_up.due', leadId, data: { followUp } };
    }),
  );
  return due.length;
}

function toNotification(followUp: DueFollowUp, timeZone: string): NewNotification {
  const { userId, leadId, businessId, businessName, type, scheduledAt, note } = followUp;
  const step = `${ACTIVITY_TYPE_LABEL[type]} at ${formatTime(scheduledAt, timeZone)}`;
  return {
    userId,
    type: 'follow_up_due',
    title: `Follow-up due: ${businessName}`,
    message: note ? `${step}: ${shorten(note)}` : step,
    relatedBusinessId: businessId,
    relatedUserBusinessId: leadId,
  };
}

function shorten(note: string): string {
  const characters = [...note];
  return characters.length > MAX_NOTE_LENGTH ? `${characters.slice(0, MAX_NOTE_LENGTH).join('')}…` : note;
}
