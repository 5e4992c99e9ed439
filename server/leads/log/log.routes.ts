import { MAX_OBJECTION_WORDS } from '#contract/contact-rules/objection.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { addActivity } from '#contract/leads/leads.calls.ts';
import * as calls from '#contract/leads/log/log.calls.ts';
import { type Recorded, recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { readMadeAt } from '#server/kit/http/made-at.ts';
import { requirePlannable } from '#server/leads/follow-ups/require-plannable.ts';
import { listLeadsOn } from '#server/leads/leads.sql.ts';
import { recordLeadObjection } from '#server/leads/objections/record-lead-objection.ts';
import { requireLockedLead } from '#server/leads/require-lead.ts';
import { NOTHING_SINCE, readChangedSince } from '#server/leads/sent-later/changed-since.sql.ts';
import { serveLead } from '#server/leads/serve-lead.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { type Done, logContact } from './log-contact.ts';

export function logRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.logContact, ({ body, ...ctx }) => log(ctx, body));

  serveLead(app, guard, addActivity, async ({ body, ...ctx }) => {
    const logged = await log(ctx, () => {
      const { type, notes } = body();
      return { type, note: notes };
    });
    return logged.activity;
  });

  /** The body is read once the viewer is known to be allowed to. */
  function log({ leadRef, ...ctx }: Recorded & { leadRef: LeadRef; ip: string }, body: () => Done) {
    return db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const lead = await requireLockedLead(tx, leadRef, ctx, canChangeLead);
        const done = body();
        const now = clock();
        const madeAt = readMadeAt(ctx.request, now);
        if (done.next) requirePlannable(done.next, madeAt);
        const since = madeAt < now ? await readChangedSince(tx, lead.id, madeAt) : NOTHING_SINCE;
        const logged = await recordRequest(tx, ctx, { kind: 'contact', now, madeAt }, (changes) =>
          logContact(tx, lead, done, { viewerId: ctx.viewer.id, now: madeAt, log: changes, since }),
        );
        if (done.objection) {
          const said = { channel: done.objection, words: done.note.slice(0, MAX_OBJECTION_WORDS) };
          await recordLeadObjection(tx, lead, said, { viewer: ctx.viewer, ip: ctx.ip, now, source: 'log' });
        }
        // The phone number belongs to the business: its mark changes all leads on it.
        const changed = done.outcome === 'wrong_number' ? await listLeadsOn(tx, lead.businessId) : [lead];
        await publishLeads(tx, changed);
        return logged;
      }),
    );
  }
}
