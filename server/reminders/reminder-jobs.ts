import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Env } from '#server/kit/env.ts';
import type { Logger } from '#server/kit/log.ts';
import type { Outbox } from '#server/kit/mail/outbox.ts';
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
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let sent = 0;

  async function sendDue() {
    sent += await sendDueReminders(db, clock(), env.timeZone);
    if (await sendMorningEmails(db, clock(), env.timeZone)) void outbox.wake();
  }

  /** Sends what is due now; if that is already running, waits for it. */
  function run(): Promise<void> {
    running ??= sendDue()
      .catch((error) => log.warn({ err: error }, 'reminders not sent, will try again'))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    run,
    /** How many reminders this process has sent. */
    sent: () => sent,
    start: () => {
      void run();
      timer = setInterval(() => void run(), INTERVAL_MS);
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
