import { defineJob } from '#server/jobs/job-kind.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Env } from '#server/kit/env.ts';
import { sendMorningEmails } from './morning-emails.ts';
import { REMINDERS_PER_STEP, sendDueReminders } from './send-reminders.ts';
import { sendWeeklyEmails } from './weekly-emails.ts';

const INTERVAL_MS = 10_000;

interface Options {
  env: Pick<Env, 'timeZone'>;
  clock: Clock;
}

/** Sends reminders, and the e-mails of mornings and Mondays, when they are due. */
export function createReminderJob({ env, clock }: Options) {
  let sent = 0;
  const job = defineJob<object>({
    kind: 'reminders',
    everyMs: INTERVAL_MS,
    step: async (tx) => {
      const reminded = await sendDueReminders(tx, clock(), env.timeZone);
      await sendMorningEmails(tx, clock(), env.timeZone);
      await sendWeeklyEmails(tx, clock(), env.timeZone);
      sent += reminded;
      return { end: reminded < REMINDERS_PER_STEP };
    },
  });
  return {
    job,
    /** How many reminders this process has sent. */
    sent: () => sent,
  };
}
