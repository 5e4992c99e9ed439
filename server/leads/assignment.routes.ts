import { monthContaining } from '#contract/progress/calendar.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import { recordRequest } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { assignBusinesses, previewAssignment } from './assign-businesses.ts';
import { refuseSecondLead } from './reassignment-target.ts';
import { readOrigin } from './serve-lead.ts';

export function assignmentRoutes(app: App, { db, guard, clock, env }: Deps) {
  const currentMonth = () => monthContaining(env.timeZone, clock());

  serve(app, guard, calls.previewAssignment, async ({ body }) => ({
    shares: await previewAssignment(db, body(), { month: currentMonth() }),
  }));

  serve(app, guard, calls.assignBusinesses, ({ body, ip, ...ctx }) =>
    refuseSecondLead(() =>
      db.transaction((tx) =>
        runOnce(tx, ctx, () => {
          const assignment = body();
          const batch = { kind: 'assign', source: 'assignment', now: clock() } as const;
          return recordRequest(tx, ctx, batch, async (log) => ({
            shares: await assignBusinesses(tx, assignment, {
              ...{ viewer: ctx.viewer, ip, log, month: currentMonth() },
              origin: readOrigin(ctx),
            }),
          }));
        }),
      ),
    ),
  );
}
