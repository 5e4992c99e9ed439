import type { Body } from '#contract/call.ts';
import { type ActivityType, isContact, type Lead } from '#contract/leads/lead.ts';
import type { logContact as logContactCall } from '#contract/leads/log/log.calls.ts';
import { statusAfter } from '#contract/leads/log/status-after.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { insertActivity, setStatus } from '#server/leads/change-lead.sql.ts';
import { completeFollowUp, readFollowUps, setFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { findLead } from '#server/leads/leads.sql.ts';
import { type ChangedSince, NOTHING_SINCE } from '#server/leads/sent-later/changed-since.sql.ts';
import { markPhoneWrong, readActivity } from './log.sql.ts';
import { requireOutcome } from './require-outcome.ts';

type Contact = Body<typeof logContactCall.byId>;

/** What was done. The activity form has no outcome, and plans nothing. */
export interface Done extends Pick<Contact, 'note'>, Partial<Pick<Contact, 'outcome' | 'next' | 'objection'>> {
  type: ActivityType;
}

interface Context {
  viewerId: number;
  /** When it was done. */
  now: Date;
  log: ChangeLog;
  /** What of the lead was changed after that. */
  since?: ChangedSince;
}

/**
 * Logs what was done with a locked lead: the activity, the status and the mark on the phone that its outcome calls for,
 * and the next step. A contact completes the follow-up that is open; a plain note leaves it. A contact that was sent later
 * leaves the status and the next step that were decided after it.
 */
export async function logContact(
  tx: Db,
  before: Lead,
  done: Done,
  { viewerId, now, log, since = NOTHING_SINCE }: Context,
) {
  const { outcome } = done;
  const next = since.followUp ? undefined : done.next;
  const activityId = await writeActivity(tx, before, done, { viewerId, now, log, since });
  if (outcome) {
    const { reached } = await requireOutcome(tx, outcome);
    const status = statusAfter(before.status, { outcome, reached, planned: next !== undefined });
    if (!since.status) await setStatus(tx, [before], status, { now, log });
  }
  if (outcome === 'wrong_number') await markPhoneWrong(tx, before.businessId, log);
  const completed = await findLead(tx, { id: before.id });
  if (!completed) throw new Error(`Lead ${before.id} was deleted while it was locked`);
  const [after = completed] = next ? await setFollowUps(tx, [completed], next, { viewerId, now, log }) : [];
  return { activity: await readActivity(tx, activityId), userBusiness: after };
}

/** A follow-up that is completed becomes the activity. Returns the id of the activity. */
async function writeActivity(tx: Db, lead: Lead, { type, outcome, note }: Done, context: Context) {
  const { viewerId, now, log, since = NOTHING_SINCE } = context;
  const completes = !since.followUp && (outcome !== undefined || isContact(type));
  const followUp = completes && (await readFollowUps(tx, [lead])).get(lead.id);
  if (!followUp) {
    return (await insertActivity(tx, lead.id, { type, notes: note, outcome, createdBy: viewerId, now, log })).id;
  }
  const activity = { type, createdBy: viewerId, outcome, description: note };
  await completeFollowUp(tx, lead, { followUpId: followUp.id, activity, now, log });
  return followUp.id;
}
