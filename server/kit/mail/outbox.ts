import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import type { Logger } from '#server/kit/log.ts';
import { describeMailError } from './describe-mail-error.ts';
import type { Message } from './message.ts';
import type { Transport } from './transport.ts';

export type MailJob = typeof mailOutbox.$inferSelect;

interface Options {
  db: Db;
  transport: Transport;
  log: Logger;
  /** Undefined when there is nothing to send any more. */
  compose: (job: MailJob) => Promise<Message | undefined>;
}

const POLL_MS = 5_000;
const STOP_MS = 1_500;

/** Queues a mail in the caller's transaction. It is sent after the commit, outside any transaction. */
export async function enqueueMail(
  db: Db,
  job: { kind: string; userId?: number; email?: string; data?: Record<string, string>; ttlMinutes: number },
) {
  await db.insert(mailOutbox).values({
    kind: job.kind,
    userId: job.userId ?? null,
    email: job.email ?? null,
    data: job.data ?? {},
    expiresAt: sql`now() + make_interval(mins => ${job.ttlMinutes})`,
  });
}

/** Sends due mail one by one. A failed mail is retried after 1, 5 and then every 15 minutes, until it expires. */
export function createOutbox({ db, transport, log, compose }: Options) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let runAgain = false;
  let stopped = false;

  async function sendDue() {
    await dropExpired();
    for (let job = await claimNext(db); job && !stopped; job = await claimNext(db)) await deliver(job);
  }

  async function deliver(job: MailJob) {
    try {
      const message = await compose(job);
      if (message) await transport.send(message);
    } catch (error) {
      log.warn({ err: error, mailId: job.id, kind: job.kind, attempts: job.attempts }, 'mail not sent, will try again');
      await db
        .update(mailOutbox)
        .set({ lastError: describeMailError(error), lastFailedAt: sql`now()` })
        .where(eq(mailOutbox.id, job.id));
      return;
    }
    await db.delete(mailOutbox).where(eq(mailOutbox.id, job.id));
  }

  async function dropExpired() {
    const dropped = await db
      .delete(mailOutbox)
      .where(lte(mailOutbox.expiresAt, sql`now()`))
      .returning({ id: mailOutbox.id, kind: mailOutbox.kind, attempts: mailOutbox.attempts });
    for (const { id, ...job } of dropped)
      log.error({ mailId: id, ...job }, 'mail dropped: it could not be sent in time');
  }

  /** Sends due mail now; if that is already running, once more afterwards. */
  function wake(): Promise<void> {
    if (stopped) return Promise.resolve();
    if (running !== undefined) {
      runAgain = true;
      return running;
    }
    running = sendDue()
      .catch((error) => log.warn({ err: error }, 'mail outbox not read'))
      .then(() => {
        running = undefined;
        if (!runAgain) return;
        runAgain = false;
        return wake();
      });
    return running;
  }

  return {
    wake,
    start: () => {
      timer = setInterval(() => void wake(), POLL_MS);
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      transport.close();
      // An unresponsive mail server must not delay the shutdown; its mail stays in the table.
      await Promise.race([running, pause(STOP_MS, undefined, { ref: false })]);
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Claims the next due job. Its next attempt is scheduled first, so that a crash while sending repeats it. */
async function claimNext(db: Db): Promise<MailJob | undefined> {
  const { id, attempts, nextAttemptAt } = mailOutbox;
  const due = db
    .select({ id })
    .from(mailOutbox)
    .where(lte(nextAttemptAt, sql`now()`))
    .orderBy(nextAttemptAt, id)
    .limit(1)
    .for('update', { skipLocked: true });
  const retryDelay = sql`case ${attempts} when 0 then interval '1 minute' when 1 then interval '5 minutes' else interval '15 minutes' end`;
  const [job] = await db
    .update(mailOutbox)
    .set({ attempts: sql`${attempts} + 1`, nextAttemptAt: sql`now() + ${retryDelay}` })
    .where(and(eq(id, sql`(${due})`)))
    .returning();
  return job;
}
