import * as calls from '#contract/leads/adding/adding.calls.ts';
import { requireMayAdd } from '#contract/leads/adding/adding-policy.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { type Recorded, recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { readMadeAt } from '#server/kit/http/made-at.ts';
import { serve } from '#server/kit/http/serve.ts';
import { refuseSecondLead } from '#server/leads/reassignment-target.ts';
import { readOrigin } from '#server/leads/serve-lead.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { addLead, takeLead } from './add-lead.ts';
import { listUnassigned } from './adding.sql.ts';

export function addingRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, calls.addLead, ({ body, ...ctx }) =>
    add(ctx, readHandOrigin(ctx), () => {
      const typed = body();
      return (tx, context) => addLead(tx, typed, context);
    }),
  );

  serve(app, guard, calls.takeLead, ({ body, ...ctx }) =>
    add(ctx, readOrigin(ctx), () => {
      const { businessId } = body();
      return (tx, context) => takeLead(tx, businessId, context);
    }),
  );

  serve(app, guard, calls.listUnassigned, async ({ viewer, query }) => {
    requireMayAdd(viewer, (await readTeamSettings(db)).addingLeads);
    return listUnassigned(db, query);
  });

  type Work = (tx: Db, context: Parameters<typeof addLead>[2]) => Promise<Lead>;

  /** The body is read once the viewer is known to be allowed to. */
  function add({ ip, ...ctx }: Recorded & { ip: string }, origin: LeadOrigin, readWork: () => Work): Promise<Lead> {
    return refuseSecondLead(() =>
      db.transaction((tx) =>
        runOnce(tx, ctx, async () => {
          const { viewer } = ctx;
          const { addingLeads: rules } = await readTeamSettings(tx);
          requireMayAdd(viewer, rules);
          const work = readWork();
          const now = clock();
          const madeAt = readMadeAt(ctx.request, now);
          return recordRequest(tx, ctx, { kind: 'assign', now, madeAt }, (log) =>
            work(tx, { viewer, ip, log, rules, now, madeAt, timeZone: env.timeZone, origin }),
          );
        }),
      ),
    );
  }
}

/** A program that adds a business is no hand. */
const readHandOrigin = (ctx: Recorded): LeadOrigin =>
  readOrigin(ctx).kind === 'program' ? { kind: 'program' } : { kind: 'hand' };
