import { bulkAddTag, bulkRemoveTag, listLeadIds } from '#contract/leads/bulk.calls.ts';
import { isReservedTag, type Lead, MAX_TAGS } from '#contract/leads/lead.ts';
import type { BulkResults } from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead, canReassignLead, type LeadPolicy } from '#contract/leads/lead-policy.ts';
import { audit } from '#server/audit/audit.ts';
import { type ChangeLog, type Recorded, recordRequest, toBatchId } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { reservedTag } from './assign-business.ts';
import { type BulkAction, runBulk } from './bulk.ts';
import * as change from './change-lead.sql.ts';
import { deleteLeads } from './delete-leads.ts';
import { deleteFollowUps, setFollowUps } from './follow-ups/follow-ups.sql.ts';
import { requirePlannable } from './follow-ups/require-plannable.ts';
import { listMatchingIds } from './list/lead-ids.sql.ts';
import { requireListAccess } from './list/require-list-access.ts';
import { reassignLeads } from './reassign-leads.ts';
import { ALREADY_ASSIGNED, lockTarget } from './reassignment-target.ts';

export function bulkRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, calls.bulkDelete, ({ body, ...ctx }) =>
    bulk(ctx, 'delete', (tx) =>
      runBulk(tx, {
        ids: body().ids,
        viewer: ctx.viewer,
        allowed: canChangeLead,
        apply: toAll((leads) => deleteLeads(tx, leads, ctx.viewer, ctx.ip)),
      }),
    ),
  );
  serve(app, guard, calls.bulkArchive, ({ body, ...ctx }) =>
    record(ctx, 'archive', body, async (tx, log, { ids }) => ({
      ids,
      apply: toAll(async (leads) => publishLeads(tx, await change.setArchived(tx, leads, true, log))),
    })),
  );
  serve(app, guard, calls.bulkRestore, ({ body, ...ctx }) =>
    record(ctx, 'restore', body, async (tx, log, { ids }) => ({
      ids,
      apply: toAll(async (leads) => publishLeads(tx, await change.setArchived(tx, leads, false, log))),
    })),
  );
  serve(app, guard, calls.bulkUpdateStatus, ({ body, ...ctx }) =>
    record(ctx, 'update-status', body, async (tx, log, { ids, status }) => ({
      ids,
      apply: toAll(async (leads) => publishLeads(tx, await change.setStatus(tx, leads, status, { now: clock(), log }))),
    })),
  );
  serve(app, guard, calls.bulkPlanFollowUp, ({ body, ...ctx }) =>
    record(ctx, 'plan-follow-up', body, async (tx, log, { ids, batch: _, ...plan }) => {
      requirePlannable(plan, clock());
      return {
        ids,
        apply: toAll(async (leads) => {
          await setFollowUps(tx, leads, plan, { viewerId: ctx.viewer.id, now: clock(), log });
          await publishLeads(tx, leads);
        }),
      };
    }),
  );
  serve(app, guard, calls.bulkDropFollowUps, ({ body, ...ctx }) =>
    record(ctx, 'drop-follow-ups', body, async (tx, log, { ids }) => ({
      ids,
      apply: toAll(async (leads) => publishLeads(tx, await deleteFollowUps(tx, leads, log))),
    })),
  );
  serve(app, guard, calls.bulkReassign, ({ body, ...ctx }) =>
    record(
      ctx,
      'reassign',
      body,
      async (tx, log, { ids, newUserId, notes, batch }) => {
        const { viewer, ip } = ctx;
        const target = await lockTarget(tx, newUserId);
        return {
          ids,
          apply: async (leads) => {
            const moved = await reassignLeads(tx, leads, {
              target,
              notes: notes ?? undefined,
              viewer,
              ip,
              log,
              merged: batch !== undefined,
            });
            const movedIds = new Set(moved.map(({ id }) => id));
            const refused = leads.filter(({ id }) => !movedIds.has(id));
            return refused.map(({ id }) => ({ id, message: ALREADY_ASSIGNED }));
          },
        };
      },
      canReassignLead,
    ),
  );

  serve(app, guard, bulkAddTag, ({ body, ...ctx }) =>
    record(ctx, 'add-tag', body, async (tx, log, { ids, tag }) => {
      if (isReservedTag(tag)) throw reservedTag();
      return {
        ids,
        apply: async (leads) => {
          const { changed, full } = await change.addTags(tx, leads, tag, log);
          await publishLeads(tx, changed);
          return full.map(({ id }) => ({ id, message: TOO_MANY_TAGS }));
        },
      };
    }),
  );
  serve(app, guard, bulkRemoveTag, ({ body, ...ctx }) =>
    record(ctx, 'remove-tag', body, async (tx, log, { ids, tag }) => {
      if (isReservedTag(tag)) throw reservedTag();
      return { ids, apply: toAll(async (leads) => publishLeads(tx, await change.removeTags(tx, leads, tag, log))) };
    }),
  );
  serve(app, guard, listLeadIds, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    return listMatchingIds(db, viewer, query, { now: clock(), timeZone: env.timeZone });
  });

  interface BulkContext extends Recorded {
    ip: string;
  }

  /** Runs a bulk action once per Idempotency-Key, and audits it. */
  function bulk({ viewer, request, ip }: BulkContext, verb: string, work: (tx: Db) => Promise<BulkResults>) {
    return db.transaction((tx) =>
      runOnce(tx, request, async () => {
        const response = await work(tx);
        const details = { verb, success: response.results.success, failed: response.results.failed };
        await audit(tx, { event: 'bulk_action', actorId: viewer.id, ip, details });
        return response;
      }),
    );
  }

  /** A bulk action that is recorded in the change log. */
  function record<B extends { batch?: string | undefined }>(
    ctx: BulkContext,
    verb: keyof typeof KIND,
    body: () => B,
    /** Refusals thrown here refuse the whole call before any lead is locked. */
    prepare: (tx: Db, log: ChangeLog, body: B) => Promise<Pick<BulkAction, 'ids' | 'apply'>>,
    allowed: LeadPolicy = canChangeLead,
  ) {
    const { viewer } = ctx;
    return bulk(ctx, verb, (tx) => {
      const parsed = body();
      const id = parsed.batch && toBatchId(viewer.id, `bulk ${parsed.batch}`);
      const batch = { id, kind: KIND[verb], source: 'bulk', now: clock() } as const;
      return recordRequest(tx, ctx, batch, async (log) =>
        runBulk(tx, { ...(await prepare(tx, log, parsed)), viewer, allowed }),
      );
    });
  }
}

const TOO_MANY_TAGS = `A business can have at most ${MAX_TAGS} tags`;

/** The kind in the change log, by the action in the path. */
const KIND = {
  archive: 'archive',
  restore: 'restore',
  'update-status': 'status',
  'plan-follow-up': 'follow_up',
  'drop-follow-ups': 'follow_up',
  reassign: 'reassign',
  'add-tag': 'tag',
  'remove-tag': 'tag',
} as const;

/** A change that fails for no permitted lead. */
function toAll(change: (leads: Lead[]) => Promise<unknown>): BulkAction['apply'] {
  return async (leads) => {
    await change(leads);
    return [];
  };
}
