import { upsertLeads as upsertCall } from '#contract/import/upsert.calls.ts';
import { recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { upsertLeads } from './upsert-leads.ts';

/** All items are one transaction and one batch of changes. */
export function upsertRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, upsertCall, ({ body, ip, ...ctx }) =>
    db.transaction((tx) =>
      runOnce(tx, ctx, async () => {
        const { viewer } = ctx;
        const sent = body();
        const { addingLeads: rules } = await readTeamSettings(tx);
        const now = clock();
        const shared = {
          viewer,
          ip,
          rules,
          now,
          timeZone: env.timeZone,
          origin: { kind: 'program' },
          merged: true,
        } as const;
        return recordRequest(tx, ctx, { kind: 'import', source: 'api', now }, (log) =>
          upsertLeads(tx, sent, { ...shared, log }),
        );
      }),
    ),
  );
}
