import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Env } from '#server/kit/env.ts';
import type { Logger } from '#server/kit/log.ts';
import type { Outbox } from '#server/kit/mail/outbox.ts';
import { createPeriodicJob } from '#server/kit/periodic-job.ts';
import { sendMorningEmails } from './morning-emails.ts';
import { sendDueReminders } from './send-reminders.ts';

const INTERVAL_MS = 10_000;

interface Options {
  db: Db;
  env: Pick<Env, 'timeZone'>;
  clock: Clock;
  log: Logger;
  outbox: Outbox;
}

/** Sends reminders and morning e-mails when they are due. Every process runs it; the database makes each of them unique. */
export function createReminderJobs({ db, env, clock, log, outbox }: Options) {
  let sent = 0;
  const job = createPeriodicJob({
    intervalMs: INTERVAL_MS,
    work: async () => {
      sent += await sendDueReminders(db, clock(), env.timeZone);
      if (await sendMorningEmails(db, clock(), env.timeZone)) void outbox.wake();
    },
    onError: (error) => log.warn({ err: error }, 'reminders not sent, will try again'),
  });
  return {
    ...job,
    /** How many reminders this process has sent. */
    sent: () => sent,
    start: () => {
      void job.run();
      job.start();
    },
  };
}
