import { Refusal } from '#contract/errors.ts';
import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canChangeLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import { MAX_ACTIVITY_NOTES } from '#contract/leads/split-notes.ts';
import { type ChangeLog, type Recorded, recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { insertActivity } from '#server/leads/change-lead.sql.ts';
import { requireOutcome } from '#server/leads/log/require-outcome.ts';
import { requireLead, requireLockedLead } from '#server/leads/require-lead.ts';
import { serveLead } from '#server/leads/serve-lead.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import * as followUps from './follow-ups.sql.ts';
import { requirePlannable } from './require-plannable.ts';

export function followUpRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.getFollowUp, async ({ viewer, leadRef }) => {
    const lead = await requireLead(db, leadRef, viewer, canSeeLead);
    return { followUp: (await followUps.findFollowUp(db, lead.id)) ?? null };
  });

  serveLead(app, guard, calls.planFollowUp, ({ leadRef, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, ctx, canChangeLead);
      const plan = requirePlannable(body(), clock());
      return record(tx, ctx, lead, (log) => planOne(tx, lead, plan, ctx.viewer.id, log));
    }),
  );

  serve(app, guard, calls.completeFollowUp, ({ params: { followUpId }, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const found = await followUps.findFollowUpLead(tx, followUpId);
      if (!found) throw noFollowUp();
      const lead = await requireLockedLead(tx, { id: found.leadId }, ctx, canChangeLead);
      const { outcome, note, next } = body();
      if (outcome) await requireOutcome(tx, outcome);
      const now = clock();
      const plan = next && requirePlannable(next, now);
      return record(tx, ctx, lead, async (log) => {
        const description = await keepPlannedNote(tx, lead, { followUpId, note, now, log });
        // What a program has done is its user's, whoever planned it.
        const activity = { outcome, description, ...(log.program !== null && { createdBy: ctx.viewer.id }) };
        const completed = await followUps.completeFollowUp(tx, lead, { followUpId, activity, now, log });
        if (!completed) throw alreadyCompleted();
        return plan ? planOne(tx, completed, plan, ctx.viewer.id, log) : completed;
      });
    }),
  );

  serve(app, guard, calls.dropFollowUp, ({ params: { followUpId }, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const found = await followUps.findFollowUpLead(tx, followUpId);
      if (!found) throw noFollowUp();
      const lead = await requireLockedLead(tx, { id: found.leadId }, ctx, canChangeLead);
      body();
      return record(tx, ctx, lead, async (log) => {
        const changed = await followUps.deleteFollowUp(tx, lead, followUpId, log);
        if (!changed) throw alreadyCompleted();
        return changed;
      });
    }),
  );

  /** Records and publishes one change of a lead's follow-up. */
  async function record(tx: Db, ctx: Recorded, lead: Lead, apply: (log: ChangeLog) => Promise<Lead>): Promise<Lead> {
    const changed = await recordRequest(tx, ctx, { kind: 'follow_up', now: clock() }, apply);
    await publishLeads(tx, [lead]);
    return changed;
  }

  async function planOne(tx: Db, lead: Lead, plan: FollowUpPlan, viewerId: number, log: ChangeLog): Promise<Lead> {
    const [planned] = await followUps.setFollowUps(tx, [lead], plan, { viewerId, now: clock(), log });
    if (!planned) throw new Error(`Lead ${lead.id} was deleted while it was locked`);
    return planned;
  }
}

interface PlannedNote {
  followUpId: number;
  note: string;
  now: Date;
  log: ChangeLog;
}

/** What was planned stands above the note; where both are too long for one activity, it becomes one of its own. */
async function keepPlannedNote(tx: Db, lead: Lead, { followUpId, note, now, log }: PlannedNote): Promise<string> {
  const followUp = (await followUps.readFollowUps(tx, [lead])).get(lead.id);
  if (followUp?.id !== followUpId) throw alreadyCompleted();
  const joined = [followUp.note, note].filter(Boolean).join('\n');
  if (joined.length <= MAX_ACTIVITY_NOTES) return joined;
  const { createdBy, program } = followUp;
  await insertActivity(tx, lead.id, { type: 'note', notes: followUp.note, createdBy, program, now, log });
  return note;
}

const noFollowUp = () => new Refusal('not_found', 'This follow-up no longer exists');
const alreadyCompleted = () => new Refusal('follow_up_completed', 'This follow-up is already completed');
