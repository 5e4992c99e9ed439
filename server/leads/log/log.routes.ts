import { Refusal } from '#contract/errors.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import * as calls from '#contract/leads/log/log.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { findActivity } from '#server/leads/change-lead.sql.ts';
import { requirePlannable } from '#server/leads/follow-ups/require-plannable.ts';
import { listLeadsOn } from '#server/leads/leads.sql.ts';
import { requireLockedLead } from '#server/leads/require-lead.ts';
import { serveLead } from '#server/leads/serve-lead.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { logContact } from './log-contact.ts';
import { undoLog } from './undo-log.ts';

export function logRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.logContact, ({ viewer, leadRef, body, request }) =>
    db.transaction((tx) =>
      runOnce(tx, request, async () => {
        const lead = await requireLockedLead(tx, leadRef, viewer, canChangeLead);
        const contact = body();
        const now = clock();
        if (contact.next) requirePlannable(contact.next, now);
        const logged = await logContact(tx, lead, contact, { viewerId: viewer.id, now });
        await publish(tx, lead, contact.outcome);
        return logged;
      }),
    ),
  );

  serve(app, guard, calls.undoLog, ({ viewer, params: { activityId }, body }) =>
    db.transaction(async (tx) => {
      const activity = await findActivity(tx, activityId);
      if (!activity) throw noActivity();
      const lead = await requireLockedLead(tx, { id: activity.leadId }, viewer, canChangeLead);
      body();
      // It may have been undone or deleted while this request waited for the lead.
      const current = await findActivity(tx, activityId);
      if (!current) throw noActivity();
      const restored = await undoLog(tx, lead, activityId, { viewerId: viewer.id, now: clock() });
      await publish(tx, lead, current.outcome);
      return restored;
    }),
  );
}

/** The phone number belongs to the business: its mark changes all leads on it. */
const publish = async (tx: Db, lead: Lead, outcome: string | null) =>
  publishLeads(tx, outcome === 'wrong_number' ? await listLeadsOn(tx, lead.businessId) : [lead]);

const noActivity = () => new Refusal('not_found', 'This contact no longer exists');
