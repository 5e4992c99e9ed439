import { bulkAddTag, bulkRemoveTag, bulkSetField } from '#contract/leads/bulk/bulk.calls.ts';
import type { BulkAction } from '#contract/leads/bulk/bulk-job.ts';
import type { BulkResults } from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import { type Recorded, recordRequest, toBatchId } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { runBulk } from './apply-to-permitted.ts';
import { CHANGE_KIND, prepareAction, requireApplicable } from './bulk-actions.ts';

/** Bulk actions on chosen leads, each one transaction. */
export function bulkRoutes(app: App, { db, guard, clock }: Deps) {
  for (const [call, verb] of [
    [calls.bulkDelete, 'delete'],
    [calls.bulkArchive, 'archive'],
    [calls.bulkRestore, 'restore'],
    [calls.bulkDropFollowUps, 'drop-follow-ups'],
  ] as const) {
    serve(app, guard, call, ({ body, ...ctx }) => bulk(ctx, body, () => ({ verb })));
  }
  serve(app, guard, calls.bulkUpdateStatus, ({ body, ...ctx }) =>
    bulk(ctx, body, (rest) => ({ verb: 'update-status', ...rest })),
  );
  serve(app, guard, calls.bulkPlanFollowUp, ({ body, ...ctx }) =>
    bulk(ctx, body, (rest) => ({ verb: 'plan-follow-up', ...rest })),
  );
  serve(app, guard, calls.bulkReassign, ({ body, ...ctx }) =>
    bulk(ctx, body, (rest) => ({ verb: 'reassign', ...rest })),
  );
  serve(app, guard, bulkAddTag, ({ body, ...ctx }) => bulk(ctx, body, (rest) => ({ verb: 'add-tag', ...rest })));
  serve(app, guard, bulkRemoveTag, ({ body, ...ctx }) => bulk(ctx, body, (rest) => ({ verb: 'remove-tag', ...rest })));

  serve(app, guard, bulkSetField, ({ body, ...ctx }) => bulk(ctx, body, (rest) => ({ verb: 'set-field', ...rest })));

  /** Runs a bulk action once per Idempotency-Key, records what it changed, and audits it. */
  function bulk<B extends { ids: number[]; batch?: string | undefined }>(
    ctx: Recorded & { ip: string },
    body: () => B,
    toAction: (rest: Omit<B, 'ids' | 'batch'>) => BulkAction,
  ): Promise<BulkResults> {
    const { viewer, ip } = ctx;
    return db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const { ids, batch, ...rest } = body();
        const action = toAction(rest);
        const now = clock();
        await requireApplicable(tx, action, now);
        const id = batch && toBatchId(viewer, `bulk ${batch}`);
        const recorded = { id, kind: CHANGE_KIND[action.verb], source: 'bulk', now } as const;
        const response = await recordRequest(tx, ctx, recorded, (log) =>
          runBulk(tx, { ids, viewer }, prepareAction(tx, action, { viewer, ip, now, log })),
        );
        const { success, failed } = response.results;
        await audit(tx, {
          event: 'bulk_action',
          ...byViewer(viewer),
          ip,
          details: { verb: action.verb, success, failed },
        });
        return response;
      }),
    );
  }
}
