import { useQuery } from '@tanstack/react-query';
import type { ResponseBody } from '#contract/call.ts';
import { getToday, getTodayCounts } from '#contract/leads/today/today.calls.ts';
import { read } from '#web/kit/api.ts';
import { useWaitingChanges } from '#web/leads/waiting/waiting.data.ts';

/** Read again on every visit and every minute: what is due changes with the time. */
const fresh = { staleTime: 0, refetchInterval: 60_000 };

export function useToday() {
  const waiting = useWaitingChanges();
  const select = (today: Today) =>
    mapValues(today, ({ leads, ...section }) => ({ ...section, leads: leads.map(waiting) }));
  return useQuery({ ...read(getToday), ...fresh, select });
}

type Today = ResponseBody<typeof getToday>;

const mapValues = (today: Today, change: (section: Today['due']) => Today['due']): Today => ({
  overdue: change(today.overdue),
  due: change(today.due),
  new: change(today.new),
  loose: change(today.loose),
  quiet: change(today.quiet),
  later: change(today.later),
});

export const useTodayCounts = () => useQuery({ ...read(getTodayCounts), ...fresh });
