import * as calls from '#contract/territories/territories.calls.ts';
import { canSeeAllTerritories, findOverlaps } from '#contract/territories/territory.ts';
import { recordRequest, toBatchId } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { changeTerritories } from './change-territories.ts';
import { countOpenLeadsIn, moveOpenLeads } from './move-leads.ts';
import { listTerritories } from './territories.sql.ts';

export function territoryRoutes(app: App, { db, guard, clock }: Deps) {
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

  serve(app, guard, calls.moveTerritoryLeads, ({ body, ip, ...ctx }) =>
    db.transaction((tx) =>
      runOnce(tx, ctx, () => {
        const { batch, ...move } = body();
        const id = batch && toBatchId(ctx.viewer.id, `territory ${batch}`);
        return recordRequest(tx, ctx, { id, kind: 'reassign', source: 'bulk', now: clock() }, (log) =>
          moveOpenLeads(tx, move, { viewer: ctx.viewer, ip, log }),
        );
      }),
    ),
  );
}
