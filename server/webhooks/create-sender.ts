import { setTimeout as wait } from 'node:timers/promises';
import type { DeliveryAttempt } from '#contract/webhooks/delivery.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { WebhookEnv } from '#server/kit/env.ts';
import type { Logger } from '#server/kit/log.ts';
import { type Answer, post } from '#server/kit/outgoing/post.ts';
import type { SecretBox } from '#server/second-factor/secret-box.ts';
import { signMessage } from './keys.ts';
import { readRetryAfter, toDelay } from './schedule.ts';
import * as store from './send-due.sql.ts';
import { switchedOff } from './switched-off.ts';
import { toBody, toMessageId, USER_AGENT } from './to-body.ts';

/** Requests of one webhook at the same time, in one process: a slow one takes nothing from the others. */
const MAX_REQUESTS = 10;
/** Connections that record how requests ended. */
const WRITERS = 2;
const STOP_MS = 1_500;

interface Options {
  db: Db;
  box: SecretBox;
  env: WebhookEnv;
  clock: Clock;
  log: Logger;
}

export type WebhookSender = ReturnType<typeof createSender>;

/**
 * Sends what is due, several of each webhook at the same time, outside of any transaction. Every process may: a delivery is
 * reserved first, and one whose process was killed is free again after a minute. So each is sent at least once.
 */
export function createSender({ db, box, env, clock, log }: Options) {
  const stopping = new AbortController();
  /** By webhook, what this process sends. */
  const sending = new Map<string, Set<Promise<void>>>();
  const claiming = new Set<string>();
  const writing: Promise<unknown>[] = [];
  let written = 0;
  const counts = { delivered: 0, failed: 0 };

  /** Begins to send what is due, and goes on until nothing is. Does not wait for answers. */
  async function sendDue(): Promise<void> {
    if (stopping.signal.aborted) return;
    try {
      await Promise.all((await store.listBusyWebhooks(db)).map(sendOf));
    } catch (error) {
      log.warn({ err: error }, 'webhooks were not read, will try again');
    }
  }

  async function sendOf(webhookId: string): Promise<void> {
    const free = MAX_REQUESTS - (sending.get(webhookId)?.size ?? 0);
    // Several at a time: a look at the table for each one that ends would cost more than it gains.
    if (free < MAX_REQUESTS / 2 || claiming.has(webhookId) || stopping.signal.aborted) return;
    claiming.add(webhookId);
    try {
      for (const claimed of await store.claimDue(db, webhookId, free)) start(claimed);
    } finally {
      claiming.delete(webhookId);
    }
  }

  function start(claimed: store.Claimed) {
    const { webhookId } = claimed;
    const ofWebhook = sending.get(webhookId) ?? new Set();
    sending.set(webhookId, ofWebhook);
    const sent = deliver(claimed)
      .catch((error) => log.warn({ err: error, webhookId }, 'a delivery was not recorded, it is sent again'))
      .then(() => {
        ofWebhook.delete(sent);
        if (!ofWebhook.size) sending.delete(webhookId);
        return sendOf(webhookId);
      })
      .catch((error) => log.warn({ err: error, webhookId }, 'a webhook was not read, will try again'));
    ofWebhook.add(sent);
  }

  async function deliver(claimed: store.Claimed): Promise<void> {
    const [at, started] = [clock(), performance.now()];
    const answer = claimed.outdated ? OUTDATED : await send(claimed, at);
    if (stopping.signal.aborted && answer.status === null) {
      await store.unclaim(db, claimed);
      return;
    }
    const { status, error } = answer;
    const attempt = {
      at: at.toISOString(),
      ms: Math.round(performance.now() - started),
      status,
      error,
      answer: answer.answer,
    };
    const pauseSeconds = readRetryAfter(answer.retryAfter, clock());
    const off = await inTurn(() => db.transaction((tx) => record(tx, claimed, attempt, pauseSeconds)));
    counts[error === null ? 'delivered' : 'failed'] += 1;
    if (off) log.warn({ webhookId: claimed.webhookId, reason: off }, 'webhook switched off');
  }

  /** Users need the connections of the pool as well. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    written += 1;
    const lane = written % WRITERS;
    const done = (writing[lane] ?? Promise.resolve()).then(work);
    writing[lane] = done.catch(() => {});
    return done;
  }

  async function send(claimed: store.Claimed, at: Date): Promise<Answer> {
    const secrets = [claimed.secret, claimed.oldSecret].flatMap((secret) => secret ?? []);
    const keys = secrets.flatMap((secret) => box.decrypt(secret, claimed.webhookId) ?? []);
    if (!keys.length) return NO_KEY;
    const [body, seconds, id] = [toBody(claimed), Math.floor(at.getTime() / 1_000), toMessageId(claimed)];
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signMessage(claimed.signature, keys, { id, seconds, body }),
    };
    return post(claimed.url, { headers, body }, { ...env, signal: stopping.signal });
  }

  /** Returns why the webhook is switched off by it, if it is. */
  async function record(tx: Db, claimed: store.Claimed, attempt: DeliveryAttempt, pauseSeconds: number) {
    const { webhookId, attempts, outdated } = claimed;
    if (attempt.error === null) {
      await store.recordAttempt(tx, claimed, attempt, { delivered: true });
      await store.clearFailing(tx, webhookId);
      return undefined;
    }
    const delay = outdated ? undefined : toDelay(attempts);
    const delaySeconds = delay && Math.max(delay, pauseSeconds);
    await store.recordAttempt(tx, claimed, attempt, { delivered: false, delaySeconds });
    if (outdated) return undefined;
    const off = await store.recordFailing(tx, webhookId, { gone: attempt.status === 410, pauseSeconds });
    if (off) await switchedOff(tx, { webhookId, url: claimed.url, reason: off });
    return off;
  }

  return {
    sendDue,
    /** Attempts of this process, by how they ended. */
    attempts: () => counts,
    /** What has no answer by then is sent again by another process, or after the next start. */
    stop: async () => {
      const all = () => Promise.all([...sending.values()].flatMap((ofWebhook) => [...ofWebhook]));
      await Promise.race([all(), wait(STOP_MS, undefined, { ref: false })]);
      stopping.abort();
      await all();
    },
  };
}

const NOT_SENT = { status: null, answer: '', retryAfter: undefined };
const OUTDATED: Answer = { ...NOT_SENT, error: 'Not sent: it is older than the deliveries that are kept' };
const NO_KEY: Answer = {
  ...NOT_SENT,
  error: 'Not sent: the key cannot be read, because SECRETS_KEY has changed. Change the key of the webhook.',
};
