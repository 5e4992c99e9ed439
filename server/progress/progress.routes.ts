import { daysInMonth, type TimeRange } from '#contract/progress/calendar.ts';
import { newcomersSince, toPercentage, weeklyTarget } from '#contract/progress/pace.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import type { SessionDeps } from '#server/auth/sessions/authenticate.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { cachedPeriods } from './periods.ts';
import { createPollGuard } from './poll-guard.ts';
import { countContactsByDay, countTeamContacts, listJoinedGoals, sumGoals } from './progress.sql.ts';
import { countTeamLeads } from './team-leads.sql.ts';

export function progressRoutes(app: App, deps: Deps & SessionDeps) {
  const { db, guard, clock, env } = deps;
  const { timeZone } = env;
  const periodsAt = cachedPeriods(timeZone);
  const currentPeriods = () => periodsAt(clock());
  const polled = createPollGuard(deps, currentPeriods);

  serve(app, polled.guard, calls.getWeeklyContacts, async ({ request }) => {
    const { week, monthlyGoal } = polled.readCounts(request);
    return { count: week, target: weeklyTarget(monthlyGoal), weekProgress: currentPeriods().weekProgress };
  });

  serve(app, polled.guard, calls.getMonthlyContacts, async ({ request }) => {
    const { month, monthlyGoal } = polled.readCounts(request);
    const { monthName, monthProgress } = currentPeriods();
    return { count: month, target: monthlyGoal, monthName, monthProgress };
  });

  serve(app, guard, calls.getTeamProgress, () => readTeam(currentPeriods().month, (goal) => goal));
  serve(app, guard, calls.getTeamProgressWeekly, () => readTeam(currentPeriods().week, weeklyTarget));
  serve(app, guard, calls.getTeamProgressLastWeek, () => readTeam(currentPeriods().lastWeek, weeklyTarget));

  serve(app, guard, calls.getMonthSeries, async ({ viewer }) => {
    const { today, month, monthName } = currentPeriods();
    const counts = await countContactsByDay(db, viewer.id, month, timeZone);
    const { own: ownTarget, team: teamTarget } = await sumGoals(db, viewer.id);
    const joined = await listJoinedGoals(db, month, timeZone);
    const byDay = new Map(counts.map((entry) => [entry.day, entry]));
    const days = Array.from({ length: today.day }, (_, i) => byDay.get(i + 1) ?? { day: i + 1, own: 0, team: 0 });
    return { monthName, daysInMonth: daysInMonth(today), ownTarget, teamTarget, days, joined };
  });

  serve(app, guard, calls.getTeamAttention, () => {
    const { today, month, lastWeek } = currentPeriods();
    return countTeamLeads(db, {
      now: clock(),
      // On the first days of a month, what was done last week is no idleness yet.
      contactedSince: month.from < lastWeek.from ? month.from : lastWeek.from,
      createdBefore: newcomersSince(timeZone, today),
    });
  });

  async function readTeam(range: TimeRange, toTarget: (monthlyGoal: number) => number) {
    const members = await countTeamContacts(db, range);
    return members.map(({ user, count, monthlyGoal }) => {
      const target = toTarget(monthlyGoal);
      return { user, count, target, percentage: toPercentage(count, target) };
    });
  }
}
