import { Refusal } from '#contract/errors.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import { canSeeAllTerritories, findOverlaps } from '#contract/territories/territory.ts';
import { recordRequest, toBatchId } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { insertJob, toJob } from '#server/jobs/jobs.sql.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { changeTerritories } from './change-territories.ts';
import { countOpenLeadsIn, MOVE_LEADS, type Move, moveOpenLeads } from './move-leads.ts';
import { listTerritories } from './territories.sql.ts';

export function territoryRoutes(app: App, { db, guard, clock, jobs }: Deps) {
  serve(app, guard, calls.getTerritories, async ({ viewer }) => {
    const all = await listTerritories(db);
    const territories = canSeeAllTerritories(viewer) ? all : all.filter(({ userId }) => userId === viewer.id);
    return { territories, overlaps: findOverlaps(territories) };
  });

  serve(app, guard, calls.changeTerritories, ({ viewer, body, ip }) =>
    db.transaction(async (tx) => ({ changes: await changeTerritories(tx, body().changes, { viewer, ip }) })),
  );

  serve(app, guard, calls.countTerritoryLeads, async ({ body }) => {
    const { userId, districts } = body();
    return { count: await countOpenLeadsIn(db, userId, districts) };
  });

  serve(app, guard, calls.moveTerritoryLeads, async ({ body, ip, ...ctx }) => {
    const { viewer } = ctx;
    const moved = await db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const { batch, background, ...move } = body();
        const id = batch && toBatchId(viewer, `territory ${batch}`);
        const step = await recordRequest(tx, ctx, { id, kind: 'reassign', source: 'bulk', now: clock() }, (log) =>
          moveOpenLeads(tx, move, { viewer, ip, log }),
        );
        if (!background || !id || step.next === null) return step;
        const total = await countOpenLeadsIn(tx, move.fromUserId, move.districts);
        const input: Move = { ...move, after: step.next };
        const job = await insertJob(tx, { id, kind: MOVE_LEADS, userId: viewer.id, ip, input, total });
        if (!job)
          throw new Refusal('bulk_running', 'Leads are still being moved for you. Please wait until that has ended.');
        return { ...step, next: null, job: toJob(job) };
      }),
    );
    if ('job' in moved) void jobs.run();
    return moved;
  });
}
