import { canSeeLead } from '#contract/leads/lead-policy.ts';
import { LEADS_EVENT, type LeadsChanged } from '#contract/notifications/events.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type LiveMessage, publish } from '#server/kit/live-events.ts';
import { STAFF } from './publish.ts';

/** More are published without their ids: a payload of NOTIFY is limited, and a page refetches its list anyway. */
const MAX_IDS = 100;

interface ChangedLead {
  id: number;
  userId: number;
  /** The holder before the change, where that was another user. */
  previousUserId?: number | undefined;
}

/** The ids of the changed leads by their holders; null where there are too many. */
type Content = Record<string, number[]> | null;

/** Publishes that leads have changed, with one NOTIFY, to their holders and to all who may see every lead. */
export async function publishLeads(tx: Db, changed: ChangedLead[]): Promise<void> {
  if (changed.length) await publish(tx, leadsMessage(changed));
}

export function leadsMessage(changed: ChangedLead[]): LiveMessage {
  const idsByHolder = new Map<number, number[]>();
  for (const { id, userId, previousUserId = userId } of changed) {
    for (const holder of new Set([userId, previousUserId])) {
      idsByHolder.set(holder, [...(idsByHolder.get(holder) ?? []), id]);
    }
  }
  const content: Content = changed.length > MAX_IDS ? null : Object.fromEntries(idsByHolder);
  return { topic: LEADS_EVENT, users: [...idsByHolder.keys()], audience: STAFF, content };
}

/** Publishes that any number of leads of these holders have changed. */
export const publishLeadsOf = (tx: Db, holders: number[]) =>
  publish(tx, { topic: LEADS_EVENT, users: holders, audience: STAFF, content: null });

/** The one event that a viewer gets for these messages; undefined where none of the leads is visible to them. */
export function toLeadsChanged(messages: LiveMessage[], viewer: Viewer): LeadsChanged | undefined {
  const visible = messages.filter(({ users }) => users.some((userId) => canSeeLead(viewer, { userId })));
  if (!visible.length) return undefined;
  const ids = new Set<number>();
  for (const { content } of visible as { content: Content }[]) {
    for (const [holder, held] of Object.entries(content ?? {})) {
      if (canSeeLead(viewer, { userId: Number(holder) })) for (const id of held) ids.add(id);
    }
  }
  const named = visible.every(({ content }) => content !== null) && ids.size <= MAX_IDS;
  const inList = viewer.role === 'admin' || visible.some(({ users }) => users.includes(viewer.id));
  return { ids: named ? [...ids] : null, inList };
}
