import { randomUUID } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import { formatCount } from '#contract/format.ts';
import type { BulkJobAction, StoredBulkAction } from '#contract/leads/bulk/bulk-job.ts';
import * as calls from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { type LeadExportQuery, MAX_TOTAL } from '#contract/leads/lead-filter.ts';
import { canListTeam } from '#contract/leads/lead-policy.ts';
import { monthContaining } from '#contract/progress/calendar.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { findJob, findLatestJob, insertJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { listMatchingIds } from '#server/leads/list/lead-ids.sql.ts';
import { requireOwnConditions } from '#server/leads/list/own-fields.sql.ts';
import { requireListAccess } from '#server/leads/require-lead.ts';
import { planByTerritory } from '#server/leads/sharing/plan-by-territory.ts';
import { planShares } from '#server/leads/sharing/shares.ts';
import { requireApplicable } from './bulk-actions.ts';
import { BULK, toBulkJob } from './bulk-job-kind.ts';

interface Selection {
  filter?: LeadExportQuery | undefined;
  count?: number | undefined;
  ids?: number[] | undefined;
}

/** Bulk actions that run on the server, in steps: on all leads that match a filter, and even distributions. */
export function bulkJobRoutes(app: App, { db, guard, clock, env, jobs }: Deps) {
  const currentMonth = () => monthContaining(env.timeZone, clock());

  serve(app, guard, calls.startBulkJob, async ({ viewer, body, ip, request, reply }) => {
    const started = await db.transaction((tx) =>
      runOnce(tx, { request, reply }, async () => {
        const { action, ...selection } = body();
        if (DISTRIBUTIONS.includes(action.verb) && !canListTeam(viewer)) throw forbidden();
        const selected = await findSelected(tx, viewer, selection);
        const { leadIds, stored } = await plan(tx, action, selected);
        const values = { id: randomUUID(), kind: BULK, userId: viewer.id, ip };
        const job = await insertJob(tx, { ...values, input: stored, itemIds: leadIds, total: leadIds.length });
        if (!job) {
          throw new Refusal('bulk_running', 'Your last bulk action is still running. Please wait, or cancel it.');
        }
        return toBulkJob(job);
      }),
    );
    void jobs.run();
    return started;
  });

  serve(app, guard, calls.previewDistribution, async ({ viewer, body }) => {
    const { action, ...selection } = body();
    const planned = await planShares(db, await findSelected(db, viewer, selection), action, currentMonth());
    return {
      shares: planned.map(({ kept, given, ...member }) => ({ ...member, held: kept.length, share: given.length })),
    };
  });

  serve(app, guard, calls.previewTerritories, async ({ viewer, body }) => {
    const { action, ...selection } = body();
    const selected = await findSelected(db, viewer, selection);
    const { shares } = await planByTerritory(db, selected, toChoice(action), currentMonth());
    return { shares };
  });

  serve(app, guard, calls.getLatestBulkJob, async ({ viewer }) => {
    const job = await findLatestJob(db, BULK, viewer.id);
    return { job: job ? toBulkJob(job) : null };
  });

  serve(app, guard, calls.cancelBulkJob, async ({ viewer, params }) =>
    db.transaction(async (tx) => {
      const job = await findJob(tx, { id: params.jobId, userId: viewer.id });
      const cancelled = job?.kind === BULK && (await jobs.cancelJob(tx, job.id, viewer.id));
      if (!cancelled) throw new Refusal('not_found', 'This bulk action no longer exists');
      return toBulkJob(cancelled);
    }),
  );

  async function findSelected(tx: Db, viewer: Viewer, { filter, count, ids }: Selection): Promise<number[]> {
    const selected = filter ? await findMatching(tx, viewer, filter) : [...new Set(ids)];
    if (count !== undefined && count !== selected.length) throw countChanged(selected.length, count);
    return selected;
  }

  async function findMatching(tx: Db, viewer: Viewer, filter: LeadExportQuery): Promise<number[]> {
    requireListAccess(viewer, filter);
    await requireOwnConditions(tx, filter);
    const { ids, capped } = await listMatchingIds(tx, viewer, filter, { now: clock(), timeZone: env.timeZone });
    if (!ids.length) throw new Refusal('not_found', 'No business matches these filters any more');
    if (!capped) return ids;
    throw new Refusal(
      'too_many_leads',
      `More than ${formatCount(MAX_TOTAL)} businesses match. Please narrow the filters.`,
    );
  }

  async function plan(
    tx: Db,
    action: BulkJobAction,
    ids: number[],
  ): Promise<{ leadIds: number[]; stored: StoredBulkAction }> {
    if (action.verb === 'to-territories') {
      const { given } = await planByTerritory(tx, ids, toChoice(action), currentMonth());
      if (!given.length) throw new Refusal('already_assigned', 'All of these are with the owners of their districts');
      const stored = given.map(({ userId, leadIds }) => ({ userId, share: leadIds.length }));
      return { leadIds: given.flatMap(({ leadIds }) => leadIds), stored: { verb: 'distribute', shares: stored } };
    }
    if (action.verb !== 'distribute') {
      await requireApplicable(tx, action, clock());
      return { leadIds: ids, stored: action };
    }
    const shares = await planShares(tx, ids, action, currentMonth());
    const leadIds = shares.flatMap(({ given }) => given);
    if (!leadIds.length) throw new Refusal('already_assigned', 'All of these are shared out evenly already');
    const stored = shares.map(({ userId, given }) => ({ userId, share: given.length }));
    return { leadIds, stored: { verb: 'distribute', shares: stored } };
  }
}

const DISTRIBUTIONS: BulkJobAction['verb'][] = ['distribute', 'to-territories'];

const toChoice = ({ fallbackUserId }: { fallbackUserId: number }) => ({ way: 'territory' as const, fallbackUserId });

const countChanged = (count: number, confirmed: number) =>
  new Refusal(
    'count_changed',
    `${formatCount(count)} ${count === 1 ? 'business matches' : 'businesses match'} now, not ${formatCount(confirmed)}. Nothing was changed; please check and confirm again.`,
    { extra: { count } },
  );

const forbidden = () => new Refusal('forbidden', 'Only managers and admins can assign leads evenly');
