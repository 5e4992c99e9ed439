import { useQuery } from '@tanstack/react-query';
import { getToday, getTodayCounts } from '#contract/leads/today/today.calls.ts';
import { read } from '#web/kit/api.ts';

/** Read again on every visit and every minute: what is due changes with the time. */
const fresh = { staleTime: 0, refetchInterval: 60_000 };

export const useToday = () => useQuery({ ...read(getToday), ...fresh });

export const useTodayCounts = () => useQuery({ ...read(getTodayCounts), ...fresh });
