import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { auditAll, byViewer } from '#server/audit/audit.ts';
import { toBatchId } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { toInsertParts } from '#server/kit/db/parameters.ts';
import { publish } from '#server/kit/live-events.ts';
import { leadsMessage } from '#server/live/lead-events.ts';
import { notificationsMessage } from '#server/live/publish.ts';
import {
  COUNT,
  type NewNotification,
  recipients,
  SOURCE_NAME,
  storeNotifications,
} from '#server/notifications/notifications.sql.ts';
import { assignmentHistory } from '#server/schema/leads.ts';
import { businessNames } from './leads.sql.ts';

type HeldLead = Pick<Lead, 'id' | 'userId' | 'businessId'>;

interface AssignmentChange {
  /** With its new holder. */
  lead: HeldLead;
  /** Absent when this is the first holder. */
  previousUserId?: number | undefined;
}

interface Context {
  viewer: Viewer;
  ip: string;
  notes?: string | undefined;
  notices: Notices;
}

interface Notices {
  /** The batch of changes, so that undoing it can withdraw them. */
  batch: string;
  /** Whether assignments of later requests with this batch are added to the same notification. */
  merged?: boolean;
  /** Whether somebody who gets a new lead by their own doing is not notified of it. */
  othersOnly?: boolean;
}

/** Records that leads have a new holder: history, audit, a notification to each user who gained or lost some, an event. */
export async function recordAssignments(tx: Db, changes: AssignmentChange[], { viewer, ip, notes, notices }: Context) {
  if (!changes.length) return;
  const history = changes.map(({ lead, previousUserId }) => ({
    userBusinessId: lead.id,
    previousUserId: previousUserId ?? null,
    newUserId: lead.userId,
    changedBy: viewer.id,
    program: viewer.program?.name ?? null,
    notes: notes || null,
    initial: previousUserId === undefined,
  }));
  for (const part of toInsertParts(history)) await tx.insert(assignmentHistory).values(part);
  const notifications = await buildNotifications(tx, changes, viewer, notices);
  await storeNotifications(tx, notifications);
  await publish(
    tx,
    notificationsMessage(recipients(notifications)),
    leadsMessage(changes.map(({ lead, previousUserId }) => ({ ...lead, previousUserId }))),
  );
  await auditAll(
    tx,
    changes.map(({ lead, previousUserId }) => ({
      event: previousUserId === undefined ? 'lead_assigned' : 'lead_reassigned',
      ...byViewer(viewer),
      subject: { type: 'lead', id: lead.id },
      ip,
      details: { newUserId: lead.userId, ...(previousUserId !== undefined && { previousUserId }) },
    })),
  );
}

/** The leads that one user gained or lost. */
interface Group {
  userId: number;
  type: 'lead_assigned' | 'lead_reassigned_to' | 'lead_reassigned_from';
  leads: HeldLead[];
}

const TITLE: Record<Group['type'], (what: string) => string> = {
  lead_assigned: (what) => `New ${what} assigned`,
  lead_reassigned_to: (what) => `${capitalise(what)} reassigned to you`,
  lead_reassigned_from: (what) => `${capitalise(what)} reassigned`,
};
const MESSAGE: Record<Group['type'], (what: string) => string> = {
  lead_assigned: (what) => `${SOURCE_NAME} assigned ${what} to you.`,
  lead_reassigned_to: (what) => `${SOURCE_NAME} assigned ${what} to you.`,
  lead_reassigned_from: (what) => `${SOURCE_NAME} reassigned ${what} to another user.`,
};

/** One notification per user, whatever the number of leads; a single lead is named and linked, several are listed. */
async function buildNotifications(
  tx: Db,
  changes: AssignmentChange[],
  viewer: Viewer,
  { batch, merged, othersOnly }: Notices,
): Promise<NewNotification[]> {
  const own = ({ userId, type }: Group) => userId === viewer.id && type === 'lead_assigned';
  const groups = groupByUser(changes, viewer).filter((group) => !othersOnly || !own(group));
  const single = groups.flatMap(({ leads }) => (leads.length === 1 ? leads : []));
  const names = await businessNames(tx, single);
  return groups.map(({ userId, type, leads }) => {
    const lost = type === 'lead_reassigned_from';
    const common = {
      userId,
      type,
      sourceUserId: viewer.id,
      // A user has one notification per batch; in several requests one user may both gain and lose leads.
      batch: merged && lost ? toLostBatchId(viewer.id, batch) : batch,
      ...(merged && {
        ofMany: { title: TITLE[type](`${COUNT} businesses`), message: MESSAGE[type](`${COUNT} businesses`) },
      }),
    };
    const [first, second] = leads;
    if (!first || second) {
      const what = `${leads.length} businesses`;
      const listed = (merged || !lost) && { leadIds: leads.map(({ id }) => id) };
      return { ...common, title: TITLE[type](what), message: MESSAGE[type](what), ...listed };
    }
    return {
      ...common,
      title: TITLE[type]('business'),
      message: MESSAGE[type](names.get(first.businessId) ?? 'a business'),
      relatedBusinessId: first.businessId,
      relatedUserBusinessId: first.id,
      leadIds: [first.id],
    };
  });
}

/** A viewer who gives their own leads away is not notified; one who takes leads over is. */
function groupByUser(changes: AssignmentChange[], viewer: Viewer): Group[] {
  const groups = new Map<string, Group>();
  const add = (userId: number, type: Group['type'], lead: HeldLead) => {
    const key = `${type} ${userId}`;
    const group = groups.get(key) ?? { userId, type, leads: [] };
    group.leads.push(lead);
    groups.set(key, group);
  };
  for (const { lead, previousUserId } of changes) {
    add(lead.userId, previousUserId === undefined ? 'lead_assigned' : 'lead_reassigned_to', lead);
    if (previousUserId === undefined || previousUserId === viewer.id) continue;
    add(previousUserId, 'lead_reassigned_from', lead);
  }
  return [...groups.values()];
}

const capitalise = (what: string) => what.charAt(0).toUpperCase() + what.slice(1);

/** The batch of the notifications of leads that were lost, where those of a batch are merged. */
export const toLostBatchId = (userId: number, batch: string) => toBatchId({ id: userId }, `lost ${batch}`);
