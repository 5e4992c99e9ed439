import { Refusal } from '#contract/errors.ts';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import { toLocalDate } from '#contract/progress/calendar.ts';
import { type Days, resolveDays, resolvePeriod } from '#contract/reports/period.ts';
import { canSeeReport, getFunnel, getGroups, type ReportQuery, toListParams } from '#contract/reports/reports.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { matchesFilter } from '#server/leads/list/lead-filter.sql.ts';
import { requireUser } from '#server/users/account-rules.ts';
import { countFunnel } from './funnel.sql.ts';
import { countGroups } from './groups.sql.ts';

export function reportRoutes(app: App, { db, guard, clock, env: { timeZone } }: Deps) {
  serve(app, guard, getFunnel, async ({ viewer, query }) => {
    await requireReport(viewer, query);
    const { days, before } = resolve(query);
    return {
      current: { days, figures: await countFunnel(db, assignedIn(viewer, query, days)) },
      before: { days: before, figures: await countFunnel(db, assignedIn(viewer, query, before)) },
    };
  });

  serve(app, guard, getGroups, async ({ viewer, query }) => {
    await requireReport(viewer, query);
    const { days } = resolve(query);
    const { by, tags } = query;
    return { days, ...(await countGroups(db, { by, tags, timeZone, matches: assignedIn(viewer, query, days) })) };
  });

  async function requireReport(viewer: Viewer, { user }: ReportQuery) {
    if (!canSeeReport(viewer, user)) throw new Refusal('forbidden', 'You can see your own figures only');
    if (user !== undefined) await requireUser(db, user);
  }

  function resolve({ period, from, to }: ReportQuery) {
    if (period !== 'days') return resolvePeriod(period, toLocalDate(timeZone, clock()));
    if (!from || !to) throw new Error('The schema of the call requires both days');
    return resolveDays({ from, to });
  }

  /** The condition is that of the list which a figure opens. */
  function assignedIn(viewer: Viewer, query: ReportQuery, days: Days) {
    return matchesFilter(viewer, leadFilter.parse(toListParams(viewer, query, { days, step: 'assigned' })), {
      now: clock(),
      timeZone,
    });
  }
}
