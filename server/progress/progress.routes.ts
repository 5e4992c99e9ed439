import {
  dateIn,
  daysInMonth,
  monthName,
  monthOf,
  monthProgress,
  type Span,
  weekOf,
  weekProgress,
} from '#contract/progress/calendar.ts';
import { percentageOf, weeklyTarget } from '#contract/progress/pace.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { countContacts, countContactsByDay, countTeamContacts, sumGoals } from './progress.sql.ts';

export function progressRoutes(app: App, { db, gate, clock, env }: Deps) {
  const { timeZone } = env;

  serve(app, gate, calls.getWeeklyContacts, async ({ viewer }) => {
    const now = clock();
    const { count, monthlyGoal } = await countContacts(db, viewer.id, weekOf(timeZone, now));
    return { count, target: weeklyTarget(monthlyGoal), weekProgress: weekProgress(dateIn(timeZone, now)) };
  });

  serve(app, gate, calls.getMonthlyContacts, async ({ viewer }) => {
    const now = clock();
    const today = dateIn(timeZone, now);
    const { count, monthlyGoal } = await countContacts(db, viewer.id, monthOf(timeZone, now));
    return { count, target: monthlyGoal, monthName: monthName(today), monthProgress: monthProgress(today) };
  });

  serve(app, gate, calls.getTeamProgress, () => team(monthOf(timeZone, clock()), (goal) => goal));
  serve(app, gate, calls.getTeamProgressWeekly, () => team(weekOf(timeZone, clock()), weeklyTarget));
  serve(app, gate, calls.getTeamProgressLastWeek, () => team(weekOf(timeZone, clock(), -1), weeklyTarget));

  serve(app, gate, calls.getMonthPicture, async ({ viewer }) => {
    const now = clock();
    const today = dateIn(timeZone, now);
    const counted = await countContactsByDay(db, viewer.id, monthOf(timeZone, now), timeZone);
    const { own: ownTarget, team: teamTarget } = await sumGoals(db, viewer.id);
    const byDay = new Map(counted.map((entry) => [entry.day, entry]));
    const days = Array.from({ length: today.day }, (_, at) => byDay.get(at + 1) ?? { day: at + 1, own: 0, team: 0 });
    return { monthName: monthName(today), daysInMonth: daysInMonth(today), ownTarget, teamTarget, days };
  });

  async function team(span: Span, targetOf: (monthlyGoal: number) => number) {
    const members = await countTeamContacts(db, span);
    return members.map(({ user, count, monthlyGoal }) => {
      const target = targetOf(monthlyGoal);
      return { user, count, target, percentage: percentageOf(count, target) };
    });
  }
}
