import { formatUndoOutcome, UNDO_DAYS, type UndoOutcome } from '#contract/changes/change.ts';
import { Refusal } from '#contract/errors.ts';
import { isContacted, type Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import { isUndone } from '#server/change-log/batches.sql.ts';
import type { ChangeValues } from '#server/change-log/change-values.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import { unmerge } from '#server/duplicates/unmerge.ts';
import { discardRest, isImporting } from '#server/import/imports.sql.ts';
import { isJobRunning } from '#server/jobs/jobs.sql.ts';
import { type Db, requireFreeSpace } from '#server/kit/db/db.ts';
import { deleteLeads } from '#server/leads/delete-leads.ts';
import { updateLastContact } from '#server/leads/last-contact.sql.ts';
import { pickHolder } from '#server/leads/reassign-leads.ts';
import { recordAssignments, toLostBatchId } from '#server/leads/record-assignments.ts';
import { publishLeads, publishLeadsOf } from '#server/live/lead-events.ts';
import { markRemindersRead, withdrawNotifications } from '#server/notifications/notifications.sql.ts';
import { planUndo, type UndoPlan } from './plan-undo.ts';
import * as undo from './undo.sql.ts';
import * as write from './write-undo.sql.ts';

const DAY_MS = 86_400_000;

interface Context {
  viewer: Viewer;
  ip: string;
  now: Date;
  log: ChangeLog;
  /** One of several parts, whose notifications are merged. */
  merged?: boolean;
}

/** Whether the viewer may undo a batch, apart from what was changed since. */
export function mayUndo(viewer: Viewer, batch: Pick<undo.Batch, 'userId' | 'at' | 'kind'>, now: Date): boolean {
  const recent = now.getTime() - Date.parse(batch.at) <= UNDO_DAYS * DAY_MS;
  // What undoing a merge needs is deleted after that time.
  if (batch.kind === 'merge') return viewer.role === 'admin' && recent;
  return viewer.role === 'admin' || (batch.userId === viewer.id && recent);
}

export function requireUndoable(batch: undo.Batch | undefined, viewer: Viewer, now: Date): undo.Batch {
  if (!batch) throw new Refusal('not_found', 'These changes are no longer kept');
  if (mayUndo(viewer, batch, now)) return batch;
  const own = batch.userId === viewer.id || viewer.role === 'admin';
  throw new Refusal(
    'forbidden',
    own ? `Changes can be undone for ${UNDO_DAYS} days` : 'You are not allowed to do this',
  );
}

/** Takes back what is still the latest change of its field, as one batch of changes that can be undone too. */
export async function undoBatch(tx: Db, batch: undo.Batch, context: Context) {
  await requireNotRunning(tx, batch);
  if (batch.kind === 'merge') return unmerge(tx, batch.id, context.log);
  const { outcome, concerned } = await undoPart(tx, batch, undefined, context);
  const message = formatUndoOutcome(outcome);
  if (!outcome.takenBack) throw notUndoable(message);
  await endUndo(tx, batch, concerned, { undoneBy: context.viewer.id, undoId: context.log.batchId });
  return { message, ...outcome };
}

/** Refuses a batch to which steps are still added, or which was undone already. */
export async function requireNotRunning(tx: Db, batch: undo.Batch) {
  if (batch.kind === 'import' && (await isImporting(tx, batch.id))) {
    throw notUndoable('This import is still running. Cancel it first.');
  }
  if (batch.source === 'bulk' && (await isJobRunning(tx, batch.id))) {
    throw notUndoable('This action is still running. Cancel it first.');
  }
  if (await undo.isBeingUndone(tx, batch.id)) throw notUndoable('These changes are being taken back already');
  if (await isUndone(tx, batch.id)) throw notUndoable('These changes were already taken back');
}

/** The users from whom or to whom leads went, by whether that is taken back or left. */
export interface Concerned {
  taken: number[];
  left: number[];
}

/** Takes back what can be of a batch, or of a part of it. */
export async function undoPart(
  tx: Db,
  batch: undo.Batch,
  part: undo.Part | undefined,
  { viewer, ip, now, log, merged = false }: Context,
): Promise<{ outcome: UndoOutcome; concerned: Concerned }> {
  const plan = await planUndo(tx, batch, { viewer, now, lock: true, ...(part && { part }) });
  requireFreeSpace(tx);
  logChanges(plan, log);
  await writePlan(tx, plan, { viewerId: viewer.id, now });
  await returnLeads(tx, plan, { viewer, ip, batch: log.batchId, merged });
  await deleteLeads(tx, plan.deletedLeads, viewer, ip);
  await publish(tx, plan);
  const concerned = {
    taken: plan.taken.flatMap(readUsers),
    left: plan.left.flatMap(({ change }) => readUsers(change)),
  };
  return { outcome: plan.outcome, concerned };
}

/** After all of its parts. Users for whom nothing of the batch is left are notified neither of it nor of its undo. */
export async function endUndo(
  tx: Db,
  batch: undo.Batch,
  { taken, left }: Concerned,
  { undoneBy, undoId }: { undoneBy: number; undoId: string },
) {
  const stillConcerned = new Set(left);
  const users = [...new Set(taken)].filter((userId) => !stillConcerned.has(userId));
  const withdrawn = await withdrawNotifications(tx, causedBy(batch.id, batch.userId), users);
  await withdrawNotifications(tx, causedBy(undoId, undoneBy), withdrawn);
  if (batch.kind === 'import') await discardRest(tx, batch.id);
}

export async function auditUndo(
  tx: Db,
  { id: batchId, kind }: undo.Batch,
  { takenBack, deleted }: Pick<UndoOutcome, 'takenBack' | 'deleted'>,
  { viewer, ip }: Pick<Context, 'viewer' | 'ip'>,
) {
  const details = { batchId, kind, takenBack, deleted };
  await audit(tx, { event: 'changes_undone', actorId: viewer.id, ip, details });
}

const causedBy = (batchId: string, userId: number | null) => [
  batchId,
  ...(userId ? [toLostBatchId(userId, batchId)] : []),
];

const notUndoable = (message: string) => new Refusal('not_undoable', message);

/** The inverse of each change. */
function logChanges({ taken, current, restored, removedActivities, deletedLeads }: UndoPlan, log: ChangeLog) {
  const deleted = new Set(deletedLeads.map(({ id }) => id));
  for (const { field, item, before, after, lead_id, business_id } of taken) {
    if (business_id !== null) {
      log.addBusiness(business_id, field as 'phone', { before: after, after: before } as never);
      continue;
    }
    const leadId = lead_id as number;
    const [lead, next] = [current.get(leadId) as Lead, restored.get(leadId) as Lead];
    // What else was recorded of a lead goes with it.
    if (deleted.has(leadId)) {
      log.addDeletedLead(leadId);
      continue;
    }
    if (field === 'notes') log.addLead(leadId, 'notes', { before: lead.notesVersion, after: next.notesVersion });
    else if (field === 'holder') {
      log.addLead(leadId, 'holder', { before: pickHolder(lead), after: before as ChangeValues['holder'] });
    } else if (field === 'activity') {
      const row = removedActivities.get(Number(item));
      const activity = { id: Number(item) };
      const values = row ? { before: { ...activity, row }, after: null } : { before: null, after: activity };
      log.addLead(leadId, 'activity', { item, ...values });
    } else log.addLead(leadId, field as 'status', { item, before: after, after: before } as never);
  }
}

async function writePlan(tx: Db, plan: UndoPlan, { viewerId, now }: { viewerId: number; now: Date }) {
  const leadsWith = (...fields: string[]) =>
    plan.taken.flatMap(({ field, lead_id }) => (fields.includes(field) && lead_id !== null ? [lead_id] : []));
  const withNotes = leadsWith('notes').flatMap((id) => plan.current.get(id) ?? []);
  await write.insertRevisions(tx, withNotes, viewerId);
  await write.deleteActivities(tx, [...plan.removedActivities.keys()]);
  await write.replaceFollowUps(tx, plan.followUps, now);
  await write.insertActivities(tx, plan.restoredActivities);
  await write.updateLeads(tx, [...plan.restored.values()]);
  await write.deleteCredits(tx, plan.removedCredits);
  await write.restoreCredits(tx, plan.restoredCredits);
  await write.recountCredits(tx, leadsWith('existingCustomer', 'credit'));
  const contacted = leadsWith('status').filter((id) => isContacted((plan.restored.get(id) as Lead).status));
  await updateLastContact(tx, [...contacted, ...leadsWith('activity', 'credit')], plan.keptCredits);
  await write.updateBusinesses(tx, [...plan.businesses.values()]);
  const reminded = leadsWith('followUp', 'holder');
  if (reminded.length) await markRemindersRead(tx, reminded);
}

const readUsers = ({ field, before, after }: undo.BatchChange): number[] =>
  field === 'holder' || field === 'lead'
    ? [before, after].flatMap((value) => (value as { userId: number } | null)?.userId ?? [])
    : [];

/** History, audit and notifications of the leads that went back to their previous holders. */
async function returnLeads(
  tx: Db,
  { taken, current, restored }: UndoPlan,
  { viewer, ip, ...notices }: { viewer: Viewer; ip: string; batch: string; merged: boolean },
) {
  const returned = taken.flatMap(({ field, lead_id }) => {
    const lead = field === 'holder' ? restored.get(lead_id as number) : undefined;
    return lead ? [{ lead, previousUserId: current.get(lead.id)?.userId }] : [];
  });
  await recordAssignments(tx, returned, { viewer, ip, notes: 'Reassignment undone', notices });
}

async function publish(tx: Db, { restored, businesses }: UndoPlan) {
  await publishLeads(tx, [...restored.values()]);
  if (businesses.size) await publishLeadsOf(tx, await undo.readHoldersOf(tx, [...businesses.keys()]));
}
