import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import type { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { NotificationRow } from './NotificationRow.tsx';
import { useReadAllNotifications, useReadNotification } from './notifications.data.ts';

interface Props {
  notifications: UseQueryResult<ResponseBody<typeof listNotifications>>;
  timeZone: string | undefined;
  /** A notification that leads somewhere was picked. */
  onPick: () => void;
}

export function NotificationPanel({ notifications, timeZone, onPick }: Props) {
  const markRead = useReadNotification();
  const markAll = useReadAllNotifications();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data } = notifications;

  const readAll = () => {
    markAll.mutate();
    // The button goes away with the last unread one.
    heading.current?.focus();
  };

  return (
    <div className="flex max-h-[min(32rem,calc(100dvh-8rem))] flex-col">
      <div className="flex min-h-13 items-center justify-between gap-3 border-b border-line px-4 py-2">
        <h2 ref={heading} tabIndex={-1} className="text-base font-semibold">
          Notifications
        </h2>
        {data && data.unread > 0 && (
          <Button variant="ghost" size="sm" className="-mr-2 text-pine-text" onClick={readAll}>
            Mark all as read
          </Button>
        )}
      </div>
      {!data && notifications.isPending && <Loading label="Loading notifications…" />}
      {!data && notifications.isError && <Failed onRetry={() => void notifications.refetch()} />}
      {data?.items.length === 0 && <Empty />}
      {data && data.items.length > 0 && (
        <ul aria-label="Notifications" className="divide-y divide-line overflow-y-auto">
          {data.items.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              timeZone={timeZone}
              onOpen={() => {
                if (!notification.read) markRead.mutate(notification.id);
                if (notification.relatedUuid) onPick();
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Empty() {
  return (
    <p className="px-6 py-10 text-center text-balance text-muted">
      No notifications yet. You will be told here when a business is assigned to you.
    </p>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-8 text-center">
      <p className="text-danger-text">Notifications could not be loaded.</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
