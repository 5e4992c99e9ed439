import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import {
  listNotifications,
  readAllNotifications,
  readNotification,
} from '#contract/notifications/notifications.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';
import { type OptimisticUpdate, optimisticKey, usePendingUpdates } from '#web/kit/optimistic.ts';
import { refreshLeads } from '#web/leads/lead-reads.data.ts';
import { hearNews } from './live.ts';

const POLL_MS = 30_000;

type List = ResponseBody<typeof listNotifications>;

/** One's notifications, as they come; asked for every now and then while nothing can be heard. */
export function useNotifications() {
  const heard = useNews();
  const query = read(listNotifications);
  const select = usePendingUpdates<List>(query.queryKey);
  return useQuery({ ...query, select, refetchInterval: heard ? false : POLL_MS });
}

/** Reads again what is new, for as long as somebody is signed in. Says whether news can be heard at the moment. */
function useNews(): boolean {
  const queries = useQueryClient();
  const [heard, setHeard] = useState(false);
  useEffect(
    () =>
      hearNews({
        onNews: () => {
          void refetch(queries, listNotifications);
          // What is told is that leads have come or gone.
          void refreshLeads(queries);
        },
        onState: (hears) => {
          setHeard(hears);
          // Something may have come between asking and hearing.
          if (hears) void refetch(queries, listNotifications);
        },
      }),
    [queries],
  );
  return heard;
}

export const useReadNotification = () =>
  useReading(
    (id: number) => send(readNotification, { params: { id } }),
    (list, id) => {
      const unread = list.items.some((item) => item.id === id && !item.read) ? list.unread - 1 : list.unread;
      return { items: list.items.map((item) => (item.id === id ? { ...item, read: true } : item)), unread };
    },
  );

export const useReadAllNotifications = () =>
  useReading(
    () => send(readAllNotifications),
    ({ items }) => ({ items: items.map((item) => ({ ...item, read: true })), unread: 0 }),
  );

/** Shown as read at once. What the server counts is what counts in the end. */
function useReading<V = void>(
  mark: (variables: V) => Promise<{ unread: number }>,
  guess: (list: List, given: V) => List,
) {
  const queries = useQueryClient();
  const { queryKey } = read(listNotifications);
  return useMutation({
    mutationKey: optimisticKey(queryKey),
    mutationFn: mark,
    onMutate: (given): OptimisticUpdate<List> => {
      // What was read before must not overwrite what is marked now.
      void queries.cancelQueries({ queryKey });
      return (list) => guess(list, given);
    },
    onSuccess: ({ unread }, given) =>
      queries.setQueryData(queryKey, (list) => list && { ...guess(list, given), unread }),
    onError: () => void refetch(queries, listNotifications),
  });
}
