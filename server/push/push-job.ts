import { type PushedNotification, toPushKind, toPushMessage } from '#contract/push/push-message.ts';
import { isWorkingTime } from '#contract/push/working-hours.ts';
import { defineJob } from '#server/jobs/job-kind.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Env } from '#server/kit/env.ts';
import { showSource } from '#server/notifications/notifications.sql.ts';
import type { PushSender } from './create-push-sender.ts';
import { type DueNotification, insertMessages, takeDueNotifications } from './push.sql.ts';

export const PUSH = 'push';
/** So long, what happens to a person together is gathered into one message. */
const INTERVAL_MS = 5_000;
const USERS_PER_STEP = 200;

interface Options {
  sender: PushSender;
  clock: Clock;
  env: Pick<Env, 'timeZone' | 'bankHolidays'>;
}

/** Has the devices ring of those who have new notifications: one message each, of what they want to be told. */
export const pushJob = ({ sender, clock, env }: Options) =>
  defineJob<object>({
    kind: PUSH,
    everyMs: INTERVAL_MS,
    step: async (tx) => {
      const workingTime = isWorkingTime(clock(), env.timeZone, env.bankHolidays);
      const due = await takeDueNotifications(tx, { isWorkingTime: workingTime, users: USERS_PER_STEP });
      const byUser = new Map<number, DueNotification[]>();
      for (const each of due) byUser.set(each.userId, [...(byUser.get(each.userId) ?? []), each]);
      await insertMessages(
        tx,
        [...byUser].flatMap(([userId, all]) => {
          const [first, ...others] = all.flatMap(toPushed);
          return first ? { userId, message: toPushMessage([first, ...others], first.details) } : [];
        }),
      );
      // Those of the step before: what this one has written is seen once it is committed.
      void sender.sendDue();
      return byUser.size < USERS_PER_STEP ? { end: true } : { pauseMs: 0 };
    },
  });

type Pushed = PushedNotification & { details: boolean };

/** None where its user has read it meanwhile, or does not want to be told. */
function toPushed({ settings, read, type, ...due }: DueNotification): Pushed[] {
  const kind = toPushKind(type);
  if (read || !kind || !settings.kinds.includes(kind)) return [];
  const { id, title, message, sourceName } = due;
  return [{ id, kind, title, message: showSource(message, sourceName), path: toPath(due), details: settings.details }];
}

function toPath({ leadUuid, importId }: Pick<DueNotification, 'leadUuid' | 'importId'>): string {
  if (leadUuid) return `/business/uuid/${leadUuid}`;
  return importId ? `/import/${importId}` : '/today';
}
