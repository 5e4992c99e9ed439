import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { UNDO_HOURS } from '#contract/leads/log/log.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type LogUndo, leads } from '#server/kit/db/schema.ts';
import { leadColumns } from '#server/leads/leads.sql.ts';
import * as log from './log.sql.ts';

const HOUR_MS = 3_600_000;

interface Context {
  viewerId: number;
  now: Date;
}

/** Undoes a logged contact on a locked lead as a whole, unless its holder, status or next step was changed since. */
export async function undoLog(tx: Db, lead: Lead, activityId: number, { viewerId, now }: Context): Promise<Lead> {
  const logged = await log.findLogged(tx, activityId);
  if (!logged) throw notUndoable('This activity cannot be undone. You can delete it.');
  if (logged.createdBy !== viewerId) throw new Refusal('forbidden', 'Only the user who logged a contact can undo it');
  const { undo, loggedAt } = logged;
  if (now.getTime() - Date.parse(loggedAt) > UNDO_HOURS * HOUR_MS) {
    throw notUndoable(`A contact can be undone for ${UNDO_HOURS} hours`);
  }
  if (!isUnchanged(lead, undo.after)) throw changedSince();
  if (undo.plannedId && !(await log.deletePlanned(tx, undo.plannedId, loggedAt))) throw changedSince();

  await log.removeActivity(tx, activityId, undo.followUp);
  if (undo.credited) await log.deleteCredit(tx, lead.id);
  if (undo.wrongPhone) await log.unmarkPhone(tx, lead.businessId, undo.wrongPhone);
  const { status, nextStepAt, nextStepType, lastContactedAt } = undo.before;
  const [restored] = await tx
    .update(leads)
    .set({
      status,
      nextStepAt,
      nextStepType,
      // A later activity is a later contact.
      ...(lead.lastContactedAt === loggedAt && { lastContactedAt }),
      updatedAt: sql`now()`,
    })
    .where(eq(leads.id, lead.id))
    .returning(leadColumns);
  if (!restored) throw new Error(`Lead ${lead.id} was deleted while it was locked`);
  return restored;
}

const isUnchanged = (lead: Lead, { userId, status, nextStepAt, nextStepType }: LogUndo['after']) =>
  lead.userId === userId &&
  lead.status === status &&
  lead.nextStepAt === nextStepAt &&
  lead.nextStepType === nextStepType;

const notUndoable = (message: string) => new Refusal('not_undoable', message);
const changedSince = () =>
  notUndoable('The holder, status or next step of this business has changed since, so the contact cannot be undone');
