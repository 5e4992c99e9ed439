import type { Body } from '#contract/call.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { logContact as logContactCall } from '#contract/leads/log/log.calls.ts';
import { statusAfter } from '#contract/leads/log/status-after.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { insertActivity, setStatus } from '#server/leads/change-lead.sql.ts';
import { completeFollowUp, readFollowUps, setFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { findLead } from '#server/leads/leads.sql.ts';
import { markPhoneWrong, readActivity } from './log.sql.ts';

type Contact = Body<typeof logContactCall.byId>;

interface Context {
  viewerId: number;
  now: Date;
  log: ChangeLog;
}

/**
 * Logs a contact on a locked lead: the activity, the status that its outcome calls for, the next step and the mark on the
 * phone.
 */
export async function logContact(tx: Db, before: Lead, contact: Contact, { viewerId, now, log }: Context) {
  const { outcome, next } = contact;
  const activityId = await writeActivity(tx, before, contact, { viewerId, now, log });
  await setStatus(tx, [before], statusAfter(outcome, before.status, next !== undefined), { now, log });
  if (outcome === 'wrong_number') await markPhoneWrong(tx, before.businessId, log);
  const completed = await findLead(tx, { id: before.id });
  if (!completed) throw new Error(`Lead ${before.id} was deleted while it was locked`);
  const [after = completed] = next ? await setFollowUps(tx, [completed], next, { viewerId, now, log }) : [];
  return { activity: await readActivity(tx, activityId), userBusiness: after };
}

/** An open follow-up becomes the activity. Returns the id of the activity. */
async function writeActivity(tx: Db, lead: Lead, { type, outcome, note }: Contact, { viewerId, now, log }: Context) {
  const followUp = (await readFollowUps(tx, [lead])).get(lead.id);
  if (!followUp) {
    return (await insertActivity(tx, lead.id, { type, notes: note, outcome, createdBy: viewerId, now, log })).id;
  }
  const actual = { type, createdBy: viewerId };
  await completeFollowUp(tx, lead, { followUpId: followUp.id, outcome, note, actual, now, log });
  return followUp.id;
}
