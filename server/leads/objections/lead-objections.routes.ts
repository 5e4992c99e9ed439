import { canChangeLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import * as calls from '#contract/leads/objections/lead-objections.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { requireLead, requireLockedLead } from '#server/leads/require-lead.ts';
import { serveLead } from '#server/leads/serve-lead.ts';
import { listLeadObjections, recordLeadObjection } from './record-lead-objection.ts';

/** Who does not want to be contacted, on the profile of a lead. */
export function leadObjectionRoutes(app: App, { db, guard, clock }: Pick<Deps, 'db' | 'guard' | 'clock'>) {
  serveLead(app, guard, calls.listLeadObjections, async ({ viewer, leadRef }) => ({
    objections: await listLeadObjections(db, await requireLead(db, leadRef, viewer, canSeeLead)),
  }));

  serveLead(app, guard, calls.recordLeadObjection, ({ leadRef, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, ctx, canChangeLead);
      const { viewer, ip } = ctx;
      await recordLeadObjection(tx, lead, body(), { viewer, ip, now: clock(), source: 'profile' });
      return { objections: await listLeadObjections(tx, lead) };
    }),
  );
}
