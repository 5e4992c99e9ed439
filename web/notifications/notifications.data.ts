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
import { refetchLeads } from '#web/leads/leads.data.ts';
import { subscribeToEvents } from './event-stream.ts';

const POLL_MS = 30_000;

export type NotificationList = ResponseBody<typeof listNotifications>;

/** The viewer's notifications, updated by events, or by polling while disconnected. */
export function useNotifications() {
  const connected = useRefetchOnEvents();
  const query = read(listNotifications);
  const select = usePendingUpdates<NotificationList>(query.queryKey);
  return useQuery({ ...query, select, refetchInterval: connected ? false : POLL_MS });
}

/** Returns whether the event stream is connected. */
function useRefetchOnEvents(): boolean {
  const queries = useQueryClient();
  const [connected, setConnected] = useState(false);
  useEffect(
    () =>
      subscribeToEvents({
        onEvent: () => {
          void refetch(queries, listNotifications);
          // Notifications are about leads that were assigned or taken away.
          void refetchLeads(queries);
        },
        onConnectionChange: (connected) => {
          setConnected(connected);
          // A notification may have come between the first read and the connection.
          if (connected) void refetch(queries, listNotifications);
        },
      }),
    [queries],
  );
  return connected;
}

export const useReadNotification = () =>
  useReadMutation(
    (id: number) => send(readNotification, { params: { id } }),
    (list, id) => {
      const unread = list.items.some((item) => item.id === id && !item.read) ? list.unread - 1 : list.unread;
      return { items: list.items.map((item) => (item.id === id ? { ...item, read: true } : item)), unread };
    },
  );

export const useReadAllNotifications = () =>
  useReadMutation(
    () => send(readAllNotifications),
    ({ items }) => ({ items: items.map((item) => ({ ...item, read: true })), unread: 0 }),
  );

/** Marks as read optimistically; the unread count of the response replaces the expected one. */
function useReadMutation<V = void>(
  mutationFn: (variables: V) => Promise<{ unread: number }>,
  markRead: (list: NotificationList, variables: V) => NotificationList,
) {
  const queries = useQueryClient();
  const { queryKey } = read(listNotifications);
  return useMutation({
    mutationKey: optimisticKey(queryKey),
    mutationFn,
    onMutate: (variables): OptimisticUpdate<NotificationList> => {
      // A response read before the mutation must not overwrite it.
      void queries.cancelQueries({ queryKey });
      return (list) => markRead(list, variables);
    },
    onSuccess: ({ unread }, variables) =>
      queries.setQueryData(queryKey, (list) => list && { ...markRead(list, variables), unread }),
    onError: () => void refetch(queries, listNotifications),
  });
}
