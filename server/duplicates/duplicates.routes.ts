import * as calls from '#contract/duplicates/duplicates.calls.ts';
import { DUPLICATES_PAGE } from '#contract/duplicates/duplicates.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { listLookAlikes } from '#contract/leads/adding/adding.calls.ts';
import { requireMayAdd } from '#contract/leads/adding/adding-policy.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import { recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import * as duplicates from './duplicates.sql.ts';
import { matchKeys } from './find-matches.sql.ts';
import { findLookAlikes } from './look-alikes.sql.ts';
import { mergeBusinesses } from './merge-businesses.ts';
import { refreshKeysNear } from './refresh-keys.sql.ts';

export function duplicateRoutes(app: App, { db, env, guard, clock }: Deps) {
  serve(app, guard, calls.listDuplicates, async ({ query }) => {
    const { groups, ...counted } = await duplicates.readGroups(db, query);
    const records = await duplicates.readRecords(
      db,
      groups.flatMap(({ ids }) => ids),
    );
    return {
      items: groups.map(({ ids, ...group }) => ({
        ...group,
        records: duplicates.markAgreement(ids.flatMap((id) => records.get(id) ?? [])),
      })),
      ...counted,
      page: query.page,
      pageSize: DUPLICATES_PAGE,
      scan: await duplicates.readScan(db),
    };
  });

  serve(app, guard, calls.findDuplicateMatches, async ({ body }) => {
    const { businessIds } = body();
    await refreshKeysNear(db, businessIds);
    const compared = await duplicates.readCompared(db, businessIds);
    const found = await matchKeys(db, compared);
    const leads = await duplicates.readFirstLeads(
      db,
      found.flat().map(({ businessId }) => businessId),
    );
    const dismissed = await duplicates.readDismissed(db, businessIds);
    return compared.flatMap(({ businessId }, at) => {
      const isOpen = (other: number) => !dismissed.has([businessId, other].toSorted((a, b) => a - b).join(' '));
      const match = found[at]?.find((each) => leads.has(each.businessId) && isOpen(each.businessId));
      const leadUuid = match && leads.get(match.businessId);
      return match && leadUuid ? [{ businessId, match, leadUuid }] : [];
    });
  });

  serve(app, guard, listLookAlikes, async ({ viewer, query }) => {
    requireMayAdd(viewer, (await readTeamSettings(db)).addingLeads);
    return findLookAlikes(db, query, viewer);
  });

  serve(app, guard, calls.dismissDuplicates, ({ viewer, body, ip }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const count = await duplicates.dismissPairs(tx, body().businessIds, { viewerId: viewer.id, now: clock() });
      if (!count) throw new Refusal('not_found', 'These businesses are no longer shown as duplicates');
      await audit(tx, { event: 'duplicates_dismissed', ...byViewer(viewer), ip, details: { count } });
      return { message: 'Marked as not a duplicate', count };
    }),
  );

  serve(app, guard, calls.reopenDuplicates, ({ viewer, body, ip }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const count = await duplicates.reopenPairs(tx, body().businessIds);
      if (!count) throw new Refusal('not_found', 'These businesses are not marked as different');
      await audit(tx, { event: 'duplicates_reopened', ...byViewer(viewer), ip, details: { count } });
      return { message: 'Shown as a possible duplicate again', count };
    }),
  );

  serve(app, guard, calls.mergeBusinesses, ({ body, ip, ...ctx }) =>
    db.transaction(async (tx) => {
      const { viewer } = ctx;
      const now = clock();
      const chosen = body();
      return recordRequest(tx, ctx, { kind: 'merge', now }, async (log) => {
        const merge = { viewer, now, team: env, log };
        const { keptId, joinedLeads, merged } = await mergeBusinesses(tx, chosen, merge);
        const details = { businessId: keptId, count: merged, batchId: log.batchId };
        await audit(tx, { event: 'businesses_merged', ...byViewer(viewer), ip, details });
        return { message: `${merged + 1} records merged`, id: log.batchId, keptId, joinedLeads };
      });
    }),
  );
}
