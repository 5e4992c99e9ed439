import type { Body } from '#contract/call.ts';
import type { Activity, Lead } from '#contract/leads/lead.ts';
import type { logContact as logContactCall } from '#contract/leads/log/log.calls.ts';
import { statusAfter } from '#contract/leads/log/status-after.ts';
import type { Db } from '#server/kit/db/db.ts';
import { insertActivity, setStatus } from '#server/leads/change-lead.sql.ts';
import { completeFollowUp, setFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { findLead } from '#server/leads/leads.sql.ts';
import * as log from './log.sql.ts';

type Contact = Body<typeof logContactCall.byId>;

interface Context {
  viewerId: number;
  now: Date;
}

/**
 * Logs a contact on a locked lead: the activity, the status that its outcome calls for, the next step and the mark on the
 * phone. What undoing needs is stored with the activity.
 */
export async function logContact(tx: Db, before: Lead, contact: Contact, { viewerId, now }: Context) {
  const { outcome, next } = contact;
  const followUp = await log.findPlanned(tx, before.id);
  const creditedAt = await log.readCreditedAt(tx, before.id);

  const activityId = await writeActivity(tx, before, contact, { followUp, viewerId, now });
  await setStatus(tx, [before], statusAfter(outcome, before.status, next !== undefined), now);
  if (next) await setFollowUps(tx, [before], next, viewerId, now);
  const planned = next && (await log.findPlanned(tx, before.id));
  const wrongPhone = outcome === 'wrong_number' ? await log.markPhoneWrong(tx, before.businessId) : undefined;

  const after = await findLead(tx, { id: before.id });
  if (!after) throw new Error(`Lead ${before.id} was deleted while it was locked`);
  const activity: Activity = await log.saveUndo(tx, activityId, {
    before: pickState(before),
    after: pickState(after),
    credited: creditedAt === null && (await log.readCreditedAt(tx, before.id)) !== null,
    ...(followUp && { followUp: omitId(followUp) }),
    ...(planned && { plannedId: planned.id }),
    ...(wrongPhone && { wrongPhone }),
  });
  return { activity, userBusiness: after };
}

const pickState = ({ userId, status, nextStepAt, nextStepType, lastContactedAt }: Lead) => ({
  userId,
  status,
  nextStepAt,
  nextStepType,
  lastContactedAt,
});

type FollowUp = NonNullable<Awaited<ReturnType<typeof log.findPlanned>>>;
const omitId = ({ id: _, ...followUp }: FollowUp) => followUp;

/** An open follow-up becomes the activity; its note is kept above the contact's. Returns the id of the activity. */
async function writeActivity(
  tx: Db,
  lead: Lead,
  { type, outcome, note }: Contact,
  { followUp, viewerId, now }: Context & { followUp: FollowUp | undefined },
): Promise<number> {
  if (!followUp) {
    return (await insertActivity(tx, lead.id, { type, notes: note, outcome, createdBy: viewerId, now })).id;
  }
  const description = [followUp.description, note].filter(Boolean).join('\n');
  const actual = { type, createdBy: viewerId };
  await completeFollowUp(tx, lead, { followUpId: followUp.id, outcome, description, actual, now });
  return followUp.id;
}
