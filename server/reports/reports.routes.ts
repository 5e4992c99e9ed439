import { Refusal } from '#contract/errors.ts';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import { addDays, startOfDay, toLocalDate } from '#contract/progress/calendar.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { type Days, parseDay, resolveDays, resolvePeriod } from '#contract/reports/period.ts';
import { getPipeline, listPastDays } from '#contract/reports/pipeline.calls.ts';
import { canSeeReport, getFunnel, getGroups, type ReportQuery, toListParams } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { matchesFilter } from '#server/leads/list/lead-filter.sql.ts';
import { requireUser } from '#server/users/account-rules.ts';
import { countActivity, countCallTimes } from './activity.sql.ts';
import { countFunnel } from './funnel.sql.ts';
import { countGroups } from './groups.sql.ts';
import { countPastPipeline, countPipeline } from './pipeline.sql.ts';
import { countSlipped } from './slipped.sql.ts';

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

  serve(app, guard, getActivity, async ({ viewer, query }) => {
    await requireReport(viewer, query);
    const { days } = resolve(query);
    return { days, ...(await countActivity(db, { ...query, days, timeZone })) };
  });

  serve(app, guard, getCallTimes, async ({ viewer, query }) => {
    await requireReport(viewer, query);
    return countCallTimes(db, { ...query, days: resolve(query).days, timeZone });
  });

  serve(app, guard, getSlipped, async ({ viewer, query }) => {
    await requireReport(viewer, query);
    return countSlipped(db, viewer, query, { now: clock(), timeZone });
  });

  serve(app, guard, getPipeline, async ({ viewer, query }) => {
    await requireReport(viewer, query);
    const { asOf } = query;
    if (!asOf) return countPipeline(db, viewer, query, { now: clock(), timeZone });
    const { from, to } = listPastDays(toLocalDate(timeZone, clock()));
    if (asOf < from || asOf > to)
      throw new Refusal(
        'validation_failed',
        `Please choose a day from ${from} to ${to}: the change log is not kept longer`,
      );
    return countPastPipeline(db, query, startOfDay(timeZone, addDays(parseDay(asOf), 1)));
  });

  async function requireReport(viewer: Viewer, { user }: Pick<ReportQuery, 'user'>) {
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
