import { Refusal } from '#contract/errors.ts';
import type { FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import * as calls from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canChangeLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
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

  serveLead(app, guard, calls.planFollowUp, ({ viewer, leadRef, body }) =>
    db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, viewer, canChangeLead);
      const plan = requirePlannable(body(), clock());
      return planOne(tx, lead, plan, viewer.id);
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
      if (plan) return planOne(tx, completed, plan, viewer.id);
      await publishLeads(tx, [lead]);
      return completed;
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
      await publishLeads(tx, [lead]);
      return changed;
    }),
  );

  async function planOne(tx: Db, lead: Lead, plan: FollowUpPlan, viewerId: number): Promise<Lead> {
    const [planned] = await followUps.setFollowUps(tx, [lead], plan, viewerId, clock());
    if (!planned) throw new Error(`Lead ${lead.id} was deleted while it was locked`);
    await publishLeads(tx, [lead]);
    return planned;
  }
}

const noFollowUp = () => new Refusal('not_found', 'This follow-up no longer exists');
const alreadyCompleted = () => new Refusal('follow_up_completed', 'This follow-up is already completed');
