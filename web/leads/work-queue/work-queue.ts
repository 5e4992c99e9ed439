import { z } from 'zod';
import { LEAD_STATUS_LABEL, type LeadItem, type LeadProfile, leadStatus } from '#contract/leads/lead.ts';
import { formatCount } from '#web/kit/format.ts';
import { getUserItem, removeUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';

/** More than anyone works through in one go; the rest is still in the list afterwards. */
export const MAX_QUEUED = 500;
const STORAGE_KEY = 'work-queue';

const queuedLead = z.object({
  uuid: z.string(),
  /** As they were when the queue was made. */
  userId: z.number(),
  status: leadStatus,
  lastContactedAt: z.string().nullable().default(null),
  opened: z.boolean(),
  /** Whether the viewer logged a contact on it. */
  logged: z.boolean().default(false),
});
type QueuedLead = z.infer<typeof queuedLead>;

const workQueue = z.object({
  title: z.string(),
  /** Where the queue was made, and where it ends. */
  origin: z.string().regex(/^\/(?!\/)/),
  /** The uuid of the lead that was opened last. */
  current: z.string(),
  leads: z.array(queuedLead).min(1).max(MAX_QUEUED),
  /** In the second, the leads that were skipped in the first come round once more. */
  round: z.union([z.literal(1), z.literal(2)]).default(1),
  /** Of both rounds. */
  total: z.number(),
  /** The contact that led on to the lead that is open. */
  lastLogged: z.object({ lead: queuedLead, batchId: z.string() }).optional(),
});

/** Leads to work through one after the other, in the order they had in a list. */
export type WorkQueue = z.infer<typeof workQueue>;

export function createQueue(title: string, origin: string, items: LeadItem[]): WorkQueue | undefined {
  // A lead that was assigned while the pages were loaded moves another one to the next page.
  const unique = new Map(items.map(({ userBusiness }) => [userBusiness.uuid, userBusiness]));
  const leads = [...unique.values()].slice(0, MAX_QUEUED).map(({ uuid, userId, status, lastContactedAt }) => ({
    ...{ uuid, userId, status, lastContactedAt },
    opened: false,
    logged: false,
  }));
  const [first] = leads;
  return first && { title, origin, current: first.uuid, leads, round: 1, total: leads.length };
}

/** In local storage, without names: order and position survive a reload and the end of the day. */
export const readQueue = (userId: number) => workQueue.safeParse(getUserItem(userId, STORAGE_KEY)).data;
export const storeQueue = (userId: number, queue: WorkQueue) => setUserItem(userId, STORAGE_KEY, queue);
export const deleteQueue = (userId: number) => removeUserItem(userId, STORAGE_KEY);

export const findPosition = (queue: WorkQueue, uuid: string) => queue.leads.findIndex((lead) => lead.uuid === uuid);

export const markOpened = (queue: WorkQueue, uuid: string): WorkQueue => ({
  ...queue,
  current: uuid,
  leads: queue.leads.map((lead) => (lead.uuid === uuid ? { ...lead, opened: true } : lead)),
});

/** Notes whether a lead that is being left was contacted since it was queued. */
export const markLogged = (queue: WorkQueue, profile: LeadProfile | undefined): WorkQueue => ({
  ...queue,
  leads: queue.leads.map((lead) =>
    lead.uuid === profile?.userBusiness.uuid
      ? { ...lead, logged: profile.userBusiness.lastContactedAt !== lead.lastContactedAt }
      : lead,
  ),
});

/** The queue with the lead whose contact was undone, which is to be contacted again; undefined where another one was. */
export function returnToUndone(queue: WorkQueue, batchId: string): WorkQueue | undefined {
  const { lastLogged, leads } = queue;
  if (lastLogged?.batchId !== batchId) return undefined;
  const lead = { ...lastLogged.lead, opened: true, logged: false };
  const others = leads.filter(({ uuid }) => uuid !== lead.uuid);
  // In the second round it was not among those that were skipped.
  const kept =
    others.length < leads.length ? leads.map((one) => (one.uuid === lead.uuid ? lead : one)) : [...leads, lead];
  return { ...queue, leads: kept, current: lead.uuid, lastLogged: undefined };
}

/** "3 logged, 4 skipped" */
export function formatWork({ leads, total }: WorkQueue): string {
  const skipped = leads.filter((lead) => !lead.logged).length;
  return `${formatCount(total - skipped)} logged, ${formatCount(skipped)} skipped`;
}

/** The leads that were opened and left without a contact, once more; undefined where there are none, or after that. */
export function startSecondRound(queue: WorkQueue): WorkQueue | undefined {
  const skipped = queue.leads.filter(({ opened, logged }) => opened && !logged);
  const [first] = skipped;
  // The others were changed by somebody else: they are neither logged nor skipped.
  const total = queue.total - queue.leads.filter(({ opened }) => !opened).length;
  return queue.round === 1 && first ? { ...queue, round: 2, leads: skipped, total, current: first.uuid } : undefined;
}

/** Why a lead is skipped, as "was archived"; undefined where it is as it was queued. */
export function findSkipReason(queued: QueuedLead, profile: LeadProfile | undefined): string | undefined {
  if (!profile) return 'is no longer yours';
  const { userBusiness: lead, user: holder } = profile;
  if (lead.userId !== queued.userId) return `is now with ${holder.fullName}`;
  if (lead.archived) return 'was archived';
  if (lead.status !== queued.status) return `is now ${LEAD_STATUS_LABEL[lead.status]}`;
  return undefined;
}

interface Step {
  /** The next lead; undefined at the end. */
  next: QueuedLead | undefined;
  /** As "Blue Door was archived". */
  skipped: string[];
}

/** The next lead in a direction. A lead that was opened before is not skipped: the viewer changed it themselves. */
export async function findNext(
  { leads }: WorkQueue,
  from: number,
  direction: 1 | -1,
  readProfile: (uuid: string) => Promise<LeadProfile | undefined>,
): Promise<Step> {
  const skipped: string[] = [];
  for (let position = from + direction; leads[position]; position += direction) {
    const queued = leads[position] as QueuedLead;
    if (queued.opened) return { next: queued, skipped };
    const profile = await readProfile(queued.uuid);
    const reason = findSkipReason(queued, profile);
    if (!reason) return { next: queued, skipped };
    skipped.push(`${profile?.business.name ?? 'A lead'} ${reason}`);
  }
  return { next: undefined, skipped };
}
