import { and, eq, inArray, sql } from 'drizzle-orm';
import type { NotificationType } from '#contract/notifications/notifications.calls.ts';
import type { PushSettings, PushSubscriptionBody } from '#contract/push/push.calls.ts';
import { PUSH_KINDS, type PushMessage } from '#contract/push/push-message.ts';
import type { Db } from '#server/kit/db/db.ts';
import { pushMessages, pushSettings, pushSubscriptions } from '#server/schema/notifications.ts';

const DEFAULT_SETTINGS: PushSettings = { kinds: [...PUSH_KINDS], details: false, atAnyTime: false };
/** A reminder of hours ago says nothing new. */
const TTL_HOURS = 4;
/** A person has a telephone, a tablet and some browsers. */
const MAX_SUBSCRIPTIONS = 10;

export async function readPushSettings(db: Db, userId: number): Promise<PushSettings> {
  const { kinds, details, atAnyTime } = pushSettings;
  const [stored] = await db
    .select({ kinds, details, atAnyTime })
    .from(pushSettings)
    .where(eq(pushSettings.userId, userId));
  return stored ?? DEFAULT_SETTINGS;
}

export async function savePushSettings(tx: Db, userId: number, settings: PushSettings): Promise<void> {
  const values = { ...settings, kinds: [...new Set(settings.kinds)] };
  await tx
    .insert(pushSettings)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: pushSettings.userId, set: values });
}

const ofSession = (session: string) =>
  sql`${pushSubscriptions.sessionId} = (select public_id from sessions where id = ${session})`;

export async function findSubscription(db: Db, userId: number, session: string): Promise<string | null> {
  const [found] = await db
    .select({ endpoint: pushSubscriptions.endpoint })
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), ofSession(session)));
  return found?.endpoint ?? null;
}

/** A browser rings for the user who added it last, and by one address. */
export async function putSubscription(
  tx: Db,
  { userId, session, endpoint, keys }: PushSubscriptionBody & { userId: number; session: string },
): Promise<void> {
  await tx.delete(pushSubscriptions).where(and(ofSession(session), sql`${pushSubscriptions.endpoint} <> ${endpoint}`));
  await tx.execute(sql`
    insert into push_subscriptions (user_id, session_id, endpoint, public_key, auth)
    select ${userId}, public_id, ${endpoint}, ${keys.p256dh}, ${keys.auth} from sessions where id = ${session}
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      public_key = excluded.public_key, auth = excluded.auth, updated_at = now()`);
  await tx.execute(sql`
    delete from push_subscriptions where user_id = ${userId} and id not in (
      select id from push_subscriptions where user_id = ${userId} order by updated_at desc, id limit ${MAX_SUBSCRIPTIONS})`);
}

export const deleteSubscriptionOf = (tx: Db, session: string) => tx.delete(pushSubscriptions).where(ofSession(session));

export const deleteSubscription = (tx: Db, id: string) =>
  tx.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));

export type DueNotification = {
  userId: number;
  id: number;
  type: NotificationType;
  title: string;
  message: string;
  sourceName: string | null;
  leadUuid: string | null;
  importId: string | null;
  read: boolean;
  settings: PushSettings;
};

/**
 * The notifications for which devices are to ring now, of some users: all of each, so that they become one message. Outside of
 * working time only those of users who want them at any time; the others wait.
 */
export async function takeDueNotifications(
  tx: Db,
  { isWorkingTime, users }: { isWorkingTime: boolean; users: number },
): Promise<DueNotification[]> {
  const { rows } = await tx.execute<DueNotification>(sql`
    with ready as (
      select distinct n.user_id from notifications n left join push_settings s on s.user_id = n.user_id
      where n.push_due and (${isWorkingTime} or s.at_any_time) order by n.user_id limit ${users}
    ), taken as (
      update notifications n set push_due = false from ready where n.user_id = ready.user_id and n.push_due returning n.*
    )
    select taken.user_id as "userId", taken.id, taken.type, taken.title, taken.message, taken.read,
      source.full_name as "sourceName", lead.uuid as "leadUuid",
      case when taken.type = 'import_finished' then (select id from imports where batch_id = taken.batch) end as "importId",
      jsonb_build_object('kinds', coalesce(s.kinds, ${sql.param([...DEFAULT_SETTINGS.kinds])}::text[]),
        'details', coalesce(s.details, false), 'atAnyTime', coalesce(s.at_any_time, false)) as settings
    from taken
    left join users source on source.id = taken.source_user_id
    left join user_businesses lead on lead.id = taken.related_user_business_id
      and (lead.user_id = taken.user_id or taken.type = 'lead_comment')
    left join push_settings s on s.user_id = taken.user_id
    order by taken.user_id, taken.created_at, taken.id`);
  return rows;
}

/** Of users who are still active, for each of their devices. */
export async function insertMessages(tx: Db, messages: { userId: number; message: PushMessage }[]): Promise<void> {
  for (const { userId, message } of messages) {
    await tx.execute(sql`
      insert into push_messages (subscription_id, message, expires_at)
      select s.id, ${JSON.stringify(message)}::jsonb, now() + make_interval(hours => ${TTL_HOURS})
      from push_subscriptions s join users on users.id = s.user_id and users.active where s.user_id = ${userId}`);
  }
}

export type ClaimedMessage = {
  id: number;
  subscriptionId: string;
  message: PushMessage;
  endpoint: string;
  publicKey: string;
  auth: string;
  attempts: number;
  /** For how long the push service is to try. */
  ttlSeconds: number;
};

/** Reserves what is due longest. Its next attempt is set first, so that a crash while sending repeats it. */
export async function claimMessages(db: Db, limit: number): Promise<ClaimedMessage[]> {
  const { rows } = await db.execute<ClaimedMessage>(sql`
    with due as (
      select id from push_messages where next_attempt_at <= now() and expires_at > now()
      order by next_attempt_at, id limit ${limit} for update skip locked
    ), claimed as (
      update push_messages m set attempts = attempts + 1, next_attempt_at = now() + case attempts
        when 0 then interval '1 minute' when 1 then interval '5 minutes' else interval '15 minutes' end
      from due where m.id = due.id returning m.*
    )
    select claimed.id::int, claimed.subscription_id as "subscriptionId", claimed.message, claimed.attempts,
      s.endpoint, s.public_key as "publicKey", s.auth,
      greatest(1, extract(epoch from claimed.expires_at - now()))::int as "ttlSeconds"
    from claimed join push_subscriptions s on s.id = claimed.subscription_id`);
  return rows;
}

export const deleteMessages = (db: Db, ids: number[]) => db.delete(pushMessages).where(inArray(pushMessages.id, ids));

/** As its push service asked for. */
export const delayMessage = (db: Db, id: number, seconds: number) =>
  db
    .update(pushMessages)
    .set({ nextAttemptAt: sql`greatest(${pushMessages.nextAttemptAt}, now() + make_interval(secs => ${seconds}))` })
    .where(eq(pushMessages.id, id));
