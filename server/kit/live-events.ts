import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './db/db.ts';
import type { Database } from './db/open.ts';
import type { Logger } from './log.ts';

const CHANNEL = 'highstreet_live';
/** A payload of NOTIFY must be shorter than 8,000 bytes. */
const USERS_PER_MESSAGE = 500;
const RECONNECT_MS = 1_000;
/** Only a query shows that a connection is dead when the other side did not close it. */
const CHECK_MS = 15_000;
const CHECK_TIMEOUT_MS = 5_000;

export interface LiveMessage {
  topic: string;
  /** The users who receive it. */
  users: number[];
  /** A group of users who receive it, too. */
  audience?: string | undefined;
  /** With 500 users it must be shorter than 2,000 bytes, and with fewer than 200 than 5,000. */
  content?: unknown;
}

/** Sends a message to the subscribers in every process, once the transaction is committed. */
export async function publish(tx: Db, ...messages: LiveMessage[]): Promise<void> {
  const payloads = messages.flatMap(toPayloads);
  if (!payloads.length) return;
  const notify = payloads.map((payload) => sql`pg_notify(${CHANNEL}, ${JSON.stringify(payload)})`);
  await tx.execute(sql`select ${sql.join(notify, sql`, `)}`);
}

function toPayloads({ users, audience, ...message }: LiveMessage): LiveMessage[] {
  const chunks = Math.ceil(users.length / USERS_PER_MESSAGE) || (audience === undefined ? 0 : 1);
  return Array.from({ length: chunks }, (_, chunk) => {
    const start = chunk * USERS_PER_MESSAGE;
    return {
      ...message,
      users: users.slice(start, start + USERS_PER_MESSAGE),
      ...(chunk === 0 && audience !== undefined && { audience }),
    };
  });
}

interface Subscription {
  userId: number;
  audiences: string[];
  onMessage: (message: LiveMessage) => void;
}

export type LiveEvents = Awaited<ReturnType<typeof createLiveEvents>>;

/** Receives what any process publishes on this database, and calls the subscribers of this process. */
export async function createLiveEvents(
  database: Pick<Database, 'newClient'>,
  log: Logger,
  { checkMs = CHECK_MS, checkTimeoutMs = CHECK_TIMEOUT_MS, reconnectMs = RECONNECT_MS } = {},
) {
  const subscriptions = new Map<string, Set<Subscription>>();
  const listener = await listenOnOwnConnection({
    newClient: database.newClient,
    onPayload: (payload) => {
      // Only this product sends on the channel.
      const message = JSON.parse(payload ?? '') as LiveMessage;
      const keys = [...message.users.map(userKey), ...(message.audience ? [audienceKey(message.audience)] : [])];
      const receivers = new Set(keys.flatMap((key) => [...(subscriptions.get(key) ?? [])]));
      for (const { onMessage } of receivers) onMessage(message);
    },
    log,
    checkMs,
    checkTimeoutMs,
    reconnectMs,
  });

  return {
    /** Calls back once for every message to this user or to one of these audiences; returns what unsubscribes. */
    subscribe: (subscription: Subscription) => {
      const keys = [userKey(subscription.userId), ...subscription.audiences.map(audienceKey)];
      for (const key of keys) subscriptions.set(key, (subscriptions.get(key) ?? new Set()).add(subscription));
      return () => {
        for (const key of keys) {
          const remaining = subscriptions.get(key);
          remaining?.delete(subscription);
          if (!remaining?.size) subscriptions.delete(key);
        }
      };
    },
    isListening: listener.isListening,
    close: listener.close,
  };
}

const userKey = (userId: number) => `user ${userId}`;
const audienceKey = (audience: string) => `audience ${audience}`;

interface ListenerOptions {
  newClient: () => pg.Client;
  onPayload: (payload: string | undefined) => void;
  log: Logger;
  checkMs: number;
  checkTimeoutMs: number;
  reconnectMs: number;
}

/** A connection outside the pool that is replaced when it breaks. Events missed meanwhile are covered by the pages' polling. */
async function listenOnOwnConnection({
  newClient,
  onPayload,
  log,
  checkMs,
  checkTimeoutMs,
  reconnectMs,
}: ListenerOptions) {
  let client: pg.Client | undefined;
  let listening = false;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async () => {
    const next = newClient();
    const onLost = (error?: Error) => {
      if (closed || client !== next) return;
      client = undefined;
      listening = false;
      // A server may accept the connection and refuse LISTEN, as a standby does.
      next.end().catch(() => {});
      log.warn({ err: error }, 'live events interrupted, connecting again');
      reconnectTimer = setTimeout(connect, reconnectMs);
    };
    client = next;
    next.on('error', onLost);
    next.on('end', () => onLost());
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      next.on('notification', ({ channel, payload }) => {
        if (channel === CHANNEL) onPayload(payload);
      });
      listening = client === next;
    } catch (error) {
      onLost(error as Error);
    }
  };
  await connect();
  const checkTimer = setInterval(() => {
    if (!listening) return;
    const checked = client;
    // `pg` accepts a time-out for one query, but its types lack it.
    const query = { text: 'select 1', query_timeout: checkTimeoutMs };
    checked?.query(query).catch(() => checked.end().catch(() => {}));
  }, checkMs);
  return {
    isListening: () => listening && !closed,
    close: async () => {
      closed = true;
      clearInterval(checkTimer);
      clearTimeout(reconnectTimer);
      await client?.end();
    },
  };
}
