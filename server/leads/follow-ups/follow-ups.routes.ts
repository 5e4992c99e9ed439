import { Refusal } from '#contract/errors.ts';
import { type FollowUpPlan, isPlannable } from '#contract/leads/follow-ups/follow-up.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { canChangeLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { requireLead, requireLockedLead } from '#server/leads/require-lead.ts';
import { serveLead } from '#server/leads/serve-lead.ts';
import * as followUps from './follow-ups.sql.ts';

export function followUpRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.getFollowUp, async ({ viewer, leadRef }) => {
    const lead = await requireLead(db, leadRef, viewer, canSeeLead);
    return { followUp: (await followUps.findFollowUp(db, lead.id)) ?? null };
  });

  serveLead(app, guard, calls.planFollowUp, ({ viewer, leadRef, body }) =>
    db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, viewer, canChangeLead);
      const plan = requirePlannable(body(), clock());
      return followUps.setFollowUp(tx, lead, plan, viewer.id, clock());
    }),
  );

  serve(app, guard, calls.completeFollowUp, ({ viewer, params: { followUpId }, body }) =>
    db.transaction(async (tx) => {
      const found = await followUps.findFollowUpLead(tx, followUpId);
      if (!found) throw noFollowUp();
      const lead = await requireLockedLead(tx, { id: found.leadId }, viewer, canChangeLead);
      const { outcome, note, next } = body();
      const plan = next && requirePlannable(next, clock());
      const description = [found.note, note].filter(Boolean).join('\n');
      const completed = await followUps.completeFollowUp(tx, lead, { followUpId, outcome, description, now: clock() });
      if (!completed) throw alreadyCompleted();
      return plan ? followUps.setFollowUp(tx, completed, plan, viewer.id, clock()) : completed;
    }),
  );

  serve(app, guard, calls.dropFollowUp, ({ viewer, params: { followUpId }, body }) =>
    db.transaction(async (tx) => {
      const found = await followUps.findFollowUpLead(tx, followUpId);
      if (!found) throw noFollowUp();
      const lead = await requireLockedLead(tx, { id: found.leadId }, viewer, canChangeLead);
      body();
      const changed = await followUps.deleteFollowUp(tx, lead, followUpId);
      if (!changed) throw alreadyCompleted();
      return changed;
    }),
  );
}

function requirePlannable(plan: FollowUpPlan, now: Date): FollowUpPlan {
  if (isPlannable(plan.at, now)) return plan;
  throw new Refusal('validation_failed', 'Please choose a time within the next two years', {
    errors: [{ path: 'at', message: 'Please choose a time within the next two years' }],
  });
}

const noFollowUp = () => new Refusal('not_found', 'This follow-up no longer exists');
const alreadyCompleted = () => new Refusal('follow_up_completed', 'This follow-up is already completed');
