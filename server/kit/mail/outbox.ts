import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { mailOutbox } from '#server/kit/db/schema.ts';
import type { Logger } from '#server/kit/log.ts';
import type { Message } from './message.ts';
import type { Transport } from './transport.ts';

export type MailJob = typeof mailOutbox.$inferSelect;

interface Options {
  db: Db;
  transport: Transport;
  log: Logger;
  /** Turns a job into a message; undefined when there is nothing (or no longer anything) to send. */
  compose: (job: MailJob) => Promise<Message | undefined>;
}

const POLL_MS = 5_000;
const STOP_MS = 1_500;

/** Puts a mail on its way. It is written in the caller's transaction and sent after it, outside any transaction. */
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

/** Sends what is due, one after the other; what fails is tried again after 1, 5 and then every 15 minutes. */
export function createOutbox({ db, transport, log, compose }: Options) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function sendDue() {
    await dropStale();
    for (let job = await claimNext(db); job && !stopped; job = await claimNext(db)) await deliver(job);
  }

  async function deliver(job: MailJob) {
    try {
      const message = await compose(job);
      if (message) await transport.send(message);
    } catch (error) {
      log.warn({ err: error, mailId: job.id, kind: job.kind, attempts: job.attempts }, 'mail not sent, will try again');
      return;
    }
    await db.delete(mailOutbox).where(eq(mailOutbox.id, job.id));
  }

  async function dropStale() {
    const dropped = await db
      .delete(mailOutbox)
      .where(lte(mailOutbox.expiresAt, sql`now()`))
      .returning({ id: mailOutbox.id, kind: mailOutbox.kind, attempts: mailOutbox.attempts });
    for (const { id, ...job } of dropped)
      log.error({ mailId: id, ...job }, 'mail dropped: it could not be sent in time');
  }

  /** Looks for due mail now; while it is looking already, once more afterwards. */
  function wake(): Promise<void> {
    if (stopped) return Promise.resolve();
    if (running !== undefined) {
      again = true;
      return running;
    }
    running = sendDue()
      .catch((error) => log.warn({ err: error }, 'mail outbox not read'))
      .then(() => {
        running = undefined;
        if (!again) return;
        again = false;
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
      // A mail server that does not answer must not hold the end up; its mail is still in the table.
      await Promise.race([running, pause(STOP_MS, undefined, { ref: false })]);
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Takes the next due job; the pause before its next try is set first, so that a crash while sending repeats it. */
async function claimNext(db: Db): Promise<MailJob | undefined> {
  const { id, attempts, nextAttemptAt } = mailOutbox;
  const due = db
    .select({ id })
    .from(mailOutbox)
    .where(lte(nextAttemptAt, sql`now()`))
    .orderBy(nextAttemptAt, id)
    .limit(1)
    .for('update', { skipLocked: true });
  const pause = sql`case ${attempts} when 0 then interval '1 minute' when 1 then interval '5 minutes' else interval '15 minutes' end`;
  const [job] = await db
    .update(mailOutbox)
    .set({ attempts: sql`${attempts} + 1`, nextAttemptAt: sql`now() + ${pause}` })
    .where(and(eq(id, sql`(${due})`)))
    .returning();
  return job;
}
