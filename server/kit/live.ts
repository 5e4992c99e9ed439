import { EventEmitter } from 'node:events';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './db/db.ts';
import type { Database } from './db/open.ts';
import type { Logger } from './log.ts';

const CHANNEL = 'highstreet_live';
/** A notification of PostgreSQL holds less than 8,000 bytes. */
const IDS_PER_MESSAGE = 500;
const RECONNECT_MS = 1_000;
/** A line that is dead without a word is noticed by asking. */
const CHECK_MS = 15_000;
const CHECK_LIMIT_MS = 5_000;

/** Says, when the transaction is committed and only then, that something is new for these users. */
export async function announce(tx: Db, userIds: number[]): Promise<void> {
  for (let at = 0; at < userIds.length; at += IDS_PER_MESSAGE) {
    const ids = JSON.stringify(userIds.slice(at, at + IDS_PER_MESSAGE));
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${ids})`);
  }
}

export type Live = Awaited<ReturnType<typeof createLive>>;

/** Hears what any process announces on this database, and passes it on to the listeners of this one. */
export async function createLive(
  database: Pick<Database, 'newClient'>,
  log: Logger,
  { checkMs = CHECK_MS, checkLimitMs = CHECK_LIMIT_MS, reconnectMs = RECONNECT_MS } = {},
) {
  const listeners = new EventEmitter().setMaxListeners(0);
  const onMessage = ({ channel, payload }: pg.Notification) => {
    if (channel === CHANNEL) for (const id of idsIn(payload)) listeners.emit(String(id));
  };
  const hear: Hear = async (client) => {
    await client.query(`listen ${CHANNEL}`);
    client.on('notification', onMessage);
    return () => void client.off('notification', onMessage);
  };
  const hearing = await hearOnOwnConnection(database.newClient, hear, log, { checkMs, checkLimitMs, reconnectMs });

  return {
    /** Calls back whenever something is new for this user, until the returned function is called. */
    listen: (userId: number, heard: () => void) => {
      listeners.on(String(userId), heard);
      return () => void listeners.off(String(userId), heard);
    },
    /** Whether news of other processes arrives. */
    hears: hearing.now,
    close: hearing.close,
  };
}

/** Listens on a connection; what it returns stops that. */
type Hear = (client: pg.ClientBase) => Promise<() => void>;

function idsIn(payload: string | undefined): number[] {
  const ids: unknown = JSON.parse(payload || '[]');
  return Array.isArray(ids) ? ids : [];
}

/** On a connection of its own, replaced when it breaks; what was missed meanwhile, the pages poll. */
async function hearOnOwnConnection(
  newClient: () => pg.Client,
  hear: Hear,
  log: Logger,
  { checkMs, checkLimitMs, reconnectMs }: { checkMs: number; checkLimitMs: number; reconnectMs: number },
) {
  let client: pg.Client | undefined;
  let hearing = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async () => {
    const next = newClient();
    const lost = (error?: Error) => {
      if (closed || client !== next) return;
      client = undefined;
      hearing = false;
      // A server may take the connection and refuse LISTEN, as a standby does.
      next.end().catch(() => {});
      log.warn({ err: error }, 'live events interrupted, connecting again');
      timer = setTimeout(connect, reconnectMs);
    };
    client = next;
    next.on('error', lost);
    next.on('end', () => lost());
    try {
      await next.connect();
      await hear(next);
      hearing = client === next;
    } catch (error) {
      lost(error as Error);
    }
  };
  await connect();
  const checking = setInterval(() => {
    if (!hearing) return;
    const checked = client;
    // `pg` takes a limit for one query; its types do not know it.
    const question = { text: 'select 1', query_timeout: checkLimitMs };
    checked?.query(question).catch(() => checked.end().catch(() => {}));
  }, checkMs);
  return {
    now: () => hearing && !closed,
    close: async () => {
      closed = true;
      clearInterval(checking);
      clearTimeout(timer);
      await client?.end();
    },
  };
}
