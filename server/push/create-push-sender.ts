import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { post } from '#server/kit/outgoing/post.ts';
import { readRetryAfter } from '#server/webhooks/schedule.ts';
import { encrypt } from './encrypt.ts';
import * as store from './push.sql.ts';
import { isPushService, type PushServices } from './push-services.ts';
import type { Vapid } from './vapid.ts';

const AT_ONCE = 10;
const TIMEOUT_MS = 10_000;
const STOP_MS = 1_500;
/** The browser has unsubscribed, or the service has forgotten it. */
const GONE = [404, 410];

interface Options {
  db: Db;
  vapid: Vapid;
  services: PushServices;
  clock: Clock;
  log: Logger;
}

export type PushSender = ReturnType<typeof createPushSender>;

/** Sends what is due to the push services, outside of any transaction. Every process may: a message is reserved first. */
export function createPushSender({ db, vapid, services, clock, log }: Options) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  function sendDue(): Promise<void> {
    running ??= sendAll()
      .catch((error) => log.warn({ err: error }, 'notifications for devices were not read, will try again'))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  async function sendAll() {
    while (!stopping.signal.aborted) {
      const claimed = await store.claimMessages(db, AT_ONCE);
      if (!claimed.length) return;
      await Promise.all(claimed.map(send));
    }
  }

  async function send(claimed: store.ClaimedMessage): Promise<void> {
    const { id, subscriptionId, endpoint, message, ttlSeconds, attempts } = claimed;
    // The rules may have changed since the browser subscribed.
    if (!isPushService(endpoint, services)) return void (await store.deleteSubscription(db, subscriptionId));
    const body = encryptFor(claimed, JSON.stringify(message));
    if (!body) return void (await store.deleteSubscription(db, subscriptionId));
    const headers = {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(ttlSeconds),
      urgency: 'high',
      authorization: await vapid.authorize(endpoint, clock()),
    };
    const { allowHttp, allowPrivate } = services;
    const options = { allowHttp, allowPrivate, timeoutMs: TIMEOUT_MS, signal: stopping.signal };
    const { status, error, retryAfter } = await post(endpoint, { headers, body }, options);
    if (error === null) return void (await store.deleteMessages(db, [id]));
    if (status !== null && GONE.includes(status)) return void (await store.deleteSubscription(db, subscriptionId));
    // Without the address, by which anybody could make the device ring.
    log.warn({ service: new URL(endpoint).hostname, status, reason: error, attempts }, 'a device was not notified');
    // The same message would be refused again.
    if (status !== null && status < 500 && status !== 429) return void (await store.deleteMessages(db, [id]));
    await store.delayMessage(db, id, readRetryAfter(retryAfter, clock()));
  }

  return {
    sendDue,
    /** What has no answer by then is sent again by another process, or after the next start. */
    stop: async () => {
      await Promise.race([running, wait(STOP_MS, undefined, { ref: false })]);
      stopping.abort();
      await running;
    },
  };
}

/** Undefined where the device's keys are none. */
function encryptFor(keys: store.ClaimedMessage, text: string): Buffer | undefined {
  try {
    return encrypt(text, keys);
  } catch {
    return undefined;
  }
}
