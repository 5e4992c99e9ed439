import { Refusal } from '#contract/errors.ts';
import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canChangeLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import { MAX_ACTIVITY_NOTES } from '#contract/leads/split-notes.ts';
import { type ChangeLog, type Recorded, recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { readMadeAt } from '#server/kit/http/made-at.ts';
import { serve } from '#server/kit/http/serve.ts';
import { insertActivity } from '#server/leads/change-lead.sql.ts';
import { requireOutcome } from '#server/leads/log/require-outcome.ts';
import { requireLead, requireLockedLead } from '#server/leads/require-lead.ts';
import { staleField } from '#server/leads/sent-later/require-same.ts';
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
    once(ctx, async (tx, time) => {
      const lead = await requireLockedLead(tx, leadRef, ctx, canChangeLead);
      const { before, ...plan } = body();
      requirePlannable(plan, time.madeAt);
      return record(tx, ctx, { lead, ...time }, async (log) => {
        await requireSamePlan(tx, lead, plan.at, before);
        return planOne(tx, lead, plan, { viewerId: ctx.viewer.id, now: time.madeAt, log });
      });
    }),
  );

  serve(app, guard, calls.completeFollowUp, ({ params: { followUpId }, body, ...ctx }) =>
    once(ctx, async (tx, time) => {
      const found = await followUps.findFollowUpLead(tx, followUpId);
      if (!found) throw noFollowUp();
      const lead = await requireLockedLead(tx, { id: found.leadId }, ctx, canChangeLead);
      const { outcome, note, next } = body();
      if (outcome) await requireOutcome(tx, outcome);
      const now = time.madeAt;
      const plan = next && requirePlannable(next, now);
      return record(tx, ctx, { lead, ...time }, async (log) => {
        const description = await keepPlannedNote(tx, lead, { followUpId, note, now, log });
        // What a program has done is its user's, whoever planned it.
        const activity = { outcome, description, ...(log.program !== null && { createdBy: ctx.viewer.id }) };
        const completed = await followUps.completeFollowUp(tx, lead, { followUpId, activity, now, log });
        if (!completed) throw alreadyCompleted();
        return plan ? planOne(tx, completed, plan, { viewerId: ctx.viewer.id, now, log }) : completed;
      });
    }),
  );

  serve(app, guard, calls.dropFollowUp, ({ params: { followUpId }, body, ...ctx }) =>
    once(ctx, async (tx, time) => {
      const found = await followUps.findFollowUpLead(tx, followUpId);
      if (!found) throw noFollowUp();
      const lead = await requireLockedLead(tx, { id: found.leadId }, ctx, canChangeLead);
      body();
      return record(tx, ctx, { lead, ...time }, async (log) => {
        const changed = await followUps.deleteFollowUp(tx, lead, followUpId, log);
        if (!changed) throw alreadyCompleted();
        return changed;
      });
    }),
  );

  /** Runs the work once per Idempotency-Key, in one transaction. */
  function once(ctx: Recorded, work: (tx: Db, time: RequestTime) => Promise<Lead>): Promise<Lead> {
    return db.transaction((tx) =>
      runOnce(tx, ctx, () => {
        const now = clock();
        return work(tx, { now, madeAt: readMadeAt(ctx.request, now) });
      }),
    );
  }
}

interface RequestTime {
  now: Date;
  madeAt: Date;
}

/** Records and publishes one change of a lead's follow-up. */
async function record(
  tx: Db,
  ctx: Recorded,
  { lead, ...time }: RequestTime & { lead: Lead },
  apply: (log: ChangeLog) => Promise<Lead>,
): Promise<Lead> {
  const changed = await recordRequest(tx, ctx, { kind: 'follow_up', ...time }, apply);
  await publishLeads(tx, [lead]);
  return changed;
}

async function planOne(
  tx: Db,
  lead: Lead,
  plan: FollowUpPlan,
  context: Parameters<typeof followUps.setFollowUps>[3],
): Promise<Lead> {
  const [planned] = await followUps.setFollowUps(tx, [lead], plan, context);
  if (!planned) throw new Error(`Lead ${lead.id} was deleted while it was locked`);
  return planned;
}

/** Refuses to replace a next step that the client has not seen. */
async function requireSamePlan(tx: Db, lead: Lead, at: string, before: string | null = lead.nextStepAt) {
  const same = [before, at].some((shown) => toMs(shown) === toMs(lead.nextStepAt));
  if (!same) throw staleField({ followUp: (await followUps.findFollowUp(tx, lead.id)) ?? null });
}

const toMs = (at: string | null) => (at === null ? null : Date.parse(at));

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
