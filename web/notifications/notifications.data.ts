import { type QueryClient, type QueryFilters, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listInvitations } from '#contract/account/invitations.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { LEADS_EVENT, NOTIFICATIONS_EVENT, SETTINGS_EVENT, USERS_EVENT } from '#contract/notifications/events.ts';
import {
  listNotifications,
  type Notification,
  readAllNotifications,
  readNotification,
} from '#contract/notifications/notifications.calls.ts';
import { listProposals } from '#contract/proposals/proposals.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { read, send } from '#web/kit/api.ts';
import { zoneSuffix } from '#web/kit/format.ts';
import { type OptimisticUpdate, optimisticKey, usePendingUpdates } from '#web/kit/optimistic.ts';
import { refetchChanged, refetchOnReturn, refetchWhenVisible } from '#web/kit/queries.ts';
import { isLeadRead, refetchChangedLeads } from '#web/leads/leads.data.ts';
import { type LiveEvent, subscribeToEvents } from './event-stream.ts';

const POLL_MS = 30_000;

export type NotificationList = ResponseBody<typeof listNotifications>;

/** The viewer's notifications, updated by events, or by polling while disconnected. */
export function useNotifications() {
  const connected = useRefetchOnEvents();
  const query = read(listNotifications);
  const select = usePendingUpdates<NotificationList>(query.queryKey);
  return useQuery({ ...query, ...refetchOnReturn, select, refetchInterval: connected ? false : POLL_MS });
}

/** Returns whether the event stream is connected. */
function useRefetchOnEvents(): boolean {
  const queries = useQueryClient();
  const [connected, setConnected] = useState(false);
  useEffect(
    () =>
      subscribeToEvents({
        onEvent: (event) => refetchOnEvent(queries, event),
        onConnectionChange: (connected) => {
          setConnected(connected);
          // A notification may have come between the first read and the connection.
          if (connected) void refetchNotifications(queries);
        },
      }),
    [queries],
  );
  return connected;
}

const refetchNotifications = (queries: QueryClient) => refetchChanged(queries, { queryKey: [listNotifications.path] });

function refetchOnEvent(queries: QueryClient, event: LiveEvent) {
  const missed = event.name === 'missed';
  if (missed || event.name === NOTIFICATIONS_EVENT) void refetchNotifications(queries);
  // A proposal comes with a notification, and is decided with one.
  if (missed || event.name === NOTIFICATIONS_EVENT) {
    void refetchChanged(queries, { queryKey: [listProposals.path] });
  }
  if (missed || event.name === USERS_EVENT) void refetchWhenVisible(queries, isUserRead);
  if (missed || event.name === SETTINGS_EVENT) {
    void refetchChanged(queries, { queryKey: [getTeamSettings.path] });
    void refetchChanged(queries, { queryKey: [listOwnFields.path] });
  }
  if (missed) void refetchWhenVisible(queries, isLeadRead);
  if (event.name === LEADS_EVENT) void refetchChangedLeads(queries, event);
}

const USER_READS: unknown[] = [listUsers.path, listInvitations.path, listUsersForReassignment.path];
const isUserRead: QueryFilters['predicate'] = ({ queryKey }) => USER_READS.includes(queryKey[0]);

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
    onError: () => void refetchNotifications(queries),
  });
}

/** The message, with the team's zone after the time of a reminder where the viewer's clock shows another. */
export function formatMessage({ type, message, createdAt }: Notification, timeZone: string | undefined): string {
  if (type !== 'follow_up_due' || !timeZone) return message;
  // The server stores "Call at 16:00: …" before it knows who reads it where. A reminder is created when it is due.
  return message.replace(/^\w+ at \d\d:\d\d/, (step) => step + zoneSuffix(createdAt, timeZone));
}
