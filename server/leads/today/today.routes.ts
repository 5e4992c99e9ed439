import { getToday, getTodayCounts, type TodaySection, todaySection } from '#contract/leads/today/today.calls.ts';
import { endOfDay, weekContaining } from '#contract/progress/calendar.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { countToday, listToday, type TodayTimes } from './today.sql.ts';

export function todayRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, getTodayCounts, async ({ viewer }) => {
    const counts = await countToday(db, viewer.id, timesAt(clock()));
    return forEachSection((section) => counts.get(section) ?? 0);
  });

  serve(app, guard, getToday, async ({ viewer }) => {
    const times = timesAt(clock());
    const counts = await countToday(db, viewer.id, times);
    const leads = await listToday(db, viewer.id, times);
    return forEachSection((section) => ({ count: counts.get(section) ?? 0, leads: leads.get(section) ?? [] }));
  });

  function timesAt(now: Date): TodayTimes {
    const { timeZone } = env;
    return { now, endOfDay: endOfDay(timeZone, now), endOfWeek: weekContaining(timeZone, now).to };
  }
}

const forEachSection = <T>(build: (section: TodaySection) => T) =>
  Object.fromEntries(todaySection.options.map((section) => [section, build(section)])) as Record<TodaySection, T>;
