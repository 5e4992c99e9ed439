import { getShares } from '#contract/leads/bulk/bulk.calls.ts';
import { monthContaining } from '#contract/progress/calendar.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { computeShares } from './shares.ts';

/** The preview of sharing out the results of a sweep, none of which is a lead. */
export function shareRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, getShares, ({ query }) => computeShares(db, query, monthContaining(env.timeZone, clock())));
}
