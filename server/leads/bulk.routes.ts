import type { FastifyRequest } from 'fastify';
import type { Lead } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead, canReassignLead, type LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { type BulkAction, runBulk } from './bulk.ts';
import * as change from './change-lead.sql.ts';
import { deleteLeads } from './delete-leads.ts';
import { deleteFollowUps, setFollowUps } from './follow-ups/follow-ups.sql.ts';
import { requirePlannable } from './follow-ups/require-plannable.ts';
import { reassignLeads } from './reassign-leads.ts';
import { ALREADY_ASSIGNED, lockTarget } from './reassignment-target.ts';

export function bulkRoutes(app: App, { db, guard, clock }: Deps) {
  serve(app, guard, calls.bulkDelete, ({ body, ...ctx }) =>
    bulk(ctx, 'delete', async (tx) => ({
      ids: body().ids,
      apply: toAll((leads) => deleteLeads(tx, leads, ctx.viewer, ctx.ip)),
    })),
  );
  serve(app, guard, calls.bulkArchive, ({ body, ...ctx }) =>
    bulk(ctx, 'archive', async (tx) => ({
      ids: body().ids,
      apply: toAll(async (leads) => publishLeads(tx, await change.setArchived(tx, leads, true))),
    })),
  );
  serve(app, guard, calls.bulkRestore, ({ body, ...ctx }) =>
    bulk(ctx, 'restore', async (tx) => ({
      ids: body().ids,
      apply: toAll(async (leads) => publishLeads(tx, await change.setArchived(tx, leads, false))),
    })),
  );
  serve(app, guard, calls.bulkUpdateStatus, ({ body, ...ctx }) =>
    bulk(ctx, 'update-status', async (tx) => {
      const { ids, status } = body();
      return {
        ids,
        apply: toAll(async (leads) => publishLeads(tx, await change.setStatus(tx, leads, status, clock()))),
      };
    }),
  );
  serve(app, guard, calls.bulkPlanFollowUp, ({ body, ...ctx }) =>
    bulk(ctx, 'plan-follow-up', async (tx) => {
      const { ids, ...plan } = body();
      requirePlannable(plan, clock());
      return {
        ids,
        apply: toAll(async (leads) => {
          await setFollowUps(tx, leads, plan, ctx.viewer.id, clock());
          await publishLeads(tx, leads);
        }),
      };
    }),
  );
  serve(app, guard, calls.bulkDropFollowUps, ({ body, ...ctx }) =>
    bulk(ctx, 'drop-follow-ups', async (tx) => ({
      ids: body().ids,
      apply: toAll(async (leads) => publishLeads(tx, await deleteFollowUps(tx, leads))),
    })),
  );
  serve(app, guard, calls.bulkReassign, ({ body, ...ctx }) =>
    bulk(
      ctx,
      'reassign',
      async (tx) => {
        const { ids, newUserId, notes } = body();
        const { viewer, ip } = ctx;
        const target = await lockTarget(tx, newUserId);
        return {
          ids,
          apply: async (leads) => {
            const moved = await reassignLeads(tx, leads, { target, notes: notes ?? undefined, viewer, ip });
            const movedIds = new Set(moved.map(({ id }) => id));
            const refused = leads.filter(({ id }) => !movedIds.has(id));
            return refused.map(({ id }) => ({ id, message: ALREADY_ASSIGNED }));
          },
        };
      },
      canReassignLead,
    ),
  );

  function bulk(
    { viewer, request, ip }: { viewer: Viewer; request: FastifyRequest; ip: string },
    verb: string,
    /** Parses the body; refusals thrown here refuse the whole call before any lead is locked. */
    prepare: (tx: Db) => Promise<Pick<BulkAction, 'ids' | 'apply'>>,
    allowed: LeadPolicy = canChangeLead,
  ) {
    return db.transaction((tx) =>
      runOnce(tx, request, async () => {
        const response = await runBulk(tx, { ...(await prepare(tx)), viewer, allowed });
        const details = { verb, success: response.results.success, failed: response.results.failed };
        await audit(tx, { event: 'bulk_action', actorId: viewer.id, ip, details });
        return response;
      }),
    );
  }
}

/** A change that fails for no permitted lead. */
function toAll(change: (leads: Lead[]) => Promise<unknown>): BulkAction['apply'] {
  return async (leads) => {
    await change(leads);
    return [];
  };
}
