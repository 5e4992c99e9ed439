import { daysInMonth, type TimeRange } from '#contract/progress/calendar.ts';
import { toPercentage, weeklyTarget } from '#contract/progress/pace.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { periodsIn } from './periods.ts';
import { pollGate } from './poll-gate.ts';
import { countContactsByDay, countTeamContacts, sumGoals } from './progress.sql.ts';

export function progressRoutes(app: App, deps: Deps) {
  const { db, guard, clock, env } = deps;
  const { timeZone } = env;
  const periodsAt = periodsIn(timeZone);
  const now = () => periodsAt(clock());
  const polled = pollGate(deps, now);

  serve(app, polled.guard, calls.getWeeklyContacts, async ({ request }) => {
    const { week, monthlyGoal } = polled.read(request);
    return { count: week, target: weeklyTarget(monthlyGoal), weekProgress: now().weekProgress };
  });

  serve(app, polled.guard, calls.getMonthlyContacts, async ({ request }) => {
    const { month, monthlyGoal } = polled.read(request);
    const { monthName, monthProgress } = now();
    return { count: month, target: monthlyGoal, monthName, monthProgress };
  });

  serve(app, guard, calls.getTeamProgress, () => team(now().month, (goal) => goal));
  serve(app, guard, calls.getTeamProgressWeekly, () => team(now().week, weeklyTarget));
  serve(app, guard, calls.getTeamProgressLastWeek, () => team(now().lastWeek, weeklyTarget));

  serve(app, guard, calls.getMonthSeries, async ({ viewer }) => {
    const { today, month, monthName } = now();
    const counted = await countContactsByDay(db, viewer.id, month, timeZone);
    const { own: ownTarget, team: teamTarget } = await sumGoals(db, viewer.id);
    const byDay = new Map(counted.map((entry) => [entry.day, entry]));
    const days = Array.from({ length: today.day }, (_, at) => byDay.get(at + 1) ?? { day: at + 1, own: 0, team: 0 });
    return { monthName, daysInMonth: daysInMonth(today), ownTarget, teamTarget, days };
  });

  async function team(span: TimeRange, targetOf: (monthlyGoal: number) => number) {
    const members = await countTeamContacts(db, span);
    return members.map(({ user, count, monthlyGoal }) => {
      const target = targetOf(monthlyGoal);
      return { user, count, target, percentage: toPercentage(count, target) };
    });
  }
}
