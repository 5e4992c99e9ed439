import { EventEmitter } from 'node:events';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './db/db.ts';
import type { Database } from './db/open.ts';
import type { Logger } from './log.ts';

const CHANNEL = 'highstreet_live';
/** A payload of NOTIFY must be shorter than 8,000 bytes. */
const IDS_PER_MESSAGE = 500;
const RECONNECT_MS = 1_000;
/** Only a query shows that a connection is dead when the other side did not close it. */
const CHECK_MS = 15_000;
const CHECK_TIMEOUT_MS = 5_000;

/** Notifies the subscribers of these users in every process, once the transaction is committed. */
export async function publish(tx: Db, userIds: number[]): Promise<void> {
  for (let start = 0; start < userIds.length; start += IDS_PER_MESSAGE) {
    const ids = JSON.stringify(userIds.slice(start, start + IDS_PER_MESSAGE));
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${ids})`);
  }
}

export type LiveEvents = Awaited<ReturnType<typeof createLiveEvents>>;

/** Receives what any process publishes on this database, and calls the subscribers of this process. */
export async function createLiveEvents(
  database: Pick<Database, 'newClient'>,
  log: Logger,
  { checkMs = CHECK_MS, checkTimeoutMs = CHECK_TIMEOUT_MS, reconnectMs = RECONNECT_MS } = {},
) {
  const subscribers = new EventEmitter().setMaxListeners(0);
  const listener = await listenOnOwnConnection({
    newClient: database.newClient,
    onPayload: (payload) => {
      for (const id of parseIds(payload)) subscribers.emit(String(id));
    },
    log,
    checkMs,
    checkTimeoutMs,
    reconnectMs,
  });

  return {
    /** Calls back on every event for this user; returns what unsubscribes. */
    subscribe: (userId: number, callback: () => void) => {
      subscribers.on(String(userId), callback);
      return () => void subscribers.off(String(userId), callback);
    },
    isListening: listener.isListening,
    close: listener.close,
  };
}

function parseIds(payload: string | undefined): number[] {
  const ids: unknown = JSON.parse(payload || '[]');
  return Array.isArray(ids) ? ids : [];
}

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
