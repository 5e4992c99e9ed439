import { canChangeLead } from '#contract/leads/lead-policy.ts';
import * as calls from '#contract/leads/log/log.calls.ts';
import { recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { requirePlannable } from '#server/leads/follow-ups/require-plannable.ts';
import { listLeadsOn } from '#server/leads/leads.sql.ts';
import { requireLockedLead } from '#server/leads/require-lead.ts';
import { serveLead } from '#server/leads/serve-lead.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { logContact } from './log-contact.ts';

export function logRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.logContact, ({ leadRef, body, ...ctx }) =>
    db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const lead = await requireLockedLead(tx, leadRef, ctx.viewer, canChangeLead);
        const contact = body();
        const now = clock();
        if (contact.next) requirePlannable(contact.next, now);
        const logged = await recordRequest(tx, ctx, { kind: 'contact', now }, (log) =>
          logContact(tx, lead, contact, { viewerId: ctx.viewer.id, now, log }),
        );
        // The phone number belongs to the business: its mark changes all leads on it.
        const changed = contact.outcome === 'wrong_number' ? await listLeadsOn(tx, lead.businessId) : [lead];
        await publishLeads(tx, changed);
        return logged;
      }),
    ),
  );
}
