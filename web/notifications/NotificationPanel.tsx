import type { UseQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useRef } from 'react';
import { Link } from 'wouter';
import type { Notification } from '#contract/notifications/notifications.calls.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import {
  formatMessage,
  type NotificationList,
  useReadAllNotifications,
  useReadNotification,
} from './notifications.data.ts';

interface Props {
  notifications: UseQueryResult<NotificationList>;
  timeZone: string | undefined;
  /** A notification that links to another screen was opened. */
  onNavigate: () => void;
}

export function NotificationPanel({ notifications, timeZone, onNavigate }: Props) {
  const markRead = useReadNotification();
  const markAllRead = useReadAllNotifications();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data } = notifications;

  const readAll = () => {
    markAllRead.mutate();
    // The pressed button disappears.
    heading.current?.focus();
  };

  return (
    <div className="flex max-h-[min(32rem,calc(100dvh-8rem))] flex-col">
      <div className="flex min-h-13 items-center justify-between gap-3 border-b border-line px-4 py-2">
        <h2 ref={heading} tabIndex={-1} className="text-base font-semibold">
          Notifications
        </h2>
        {data && data.unread > 0 && (
          <Button variant="link" size="sm" className="-mr-2" onClick={readAll}>
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
            <Row
              key={notification.id}
              notification={notification}
              timeZone={timeZone}
              onOpen={() => {
                if (!notification.read) markRead.mutate(notification.id);
                if (toPath(notification)) onNavigate();
              }}
              onOpenLeads={() => {
                if (!notification.read) markRead.mutate(notification.id);
                onNavigate();
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const rowClass =
  'grid w-full grid-cols-[0.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3 text-left hover:bg-sunken focus-visible:-outline-offset-2';

interface RowProps {
  notification: Notification;
  timeZone: string | undefined;
  onOpen: () => void;
  /** Opens the list of the leads of a notification about several. */
  onOpenLeads: () => void;
}

/** Of the lead, of its comments, of the import that ended, of proposals, or of the system that has a problem. */
function toPath({ type, relatedUuid, importId }: Notification) {
  if (type === 'system_problem') return '/system';
  if (type === 'proposal') return '/proposals';
  if (type === 'lead_comment' && relatedUuid) return `/business/uuid/${relatedUuid}?tab=timeline`;
  return relatedUuid ? `/business/uuid/${relatedUuid}` : importId && `/import/${importId}`;
}

/** A link to what the notification is about, else a button that only marks as read. */
function Row({ notification, timeZone, onOpen, onOpenLeads }: RowProps) {
  const { id, title, read, leadCount, createdAt } = notification;
  const path = toPath(notification);
  const content = (
    <>
      {/* 6 px: centred on the first line of text. */}
      <span aria-hidden="true" className={clsx('mt-2 size-2 rounded-full', !read && 'bg-new')} />
      <span className="flex min-w-0 flex-col gap-1 [overflow-wrap:anywhere]">
        <span className={clsx(!read && 'font-semibold')}>
          {!read && <span className="sr-only">Unread: </span>}
          {title}
        </span>
        <span className="text-muted">{formatMessage(notification, timeZone)}</span>
        <TeamTime
          at={createdAt}
          timeZone={timeZone}
          format={formatDateTime}
          className="min-h-[1lh] text-xs text-muted"
        />
      </span>
    </>
  );
  return (
    <li>
      {path ? (
        <Link href={path} className={rowClass} onClick={onOpen}>
          {content}
        </Link>
      ) : (
        <button type="button" className={rowClass} onClick={onOpen}>
          {content}
        </button>
      )}
      {leadCount > 0 && (
        <Link
          href={`/crm?notification=${id}`}
          className={clsx(linkClass, 'mb-2 ml-9 inline-flex min-h-11 items-center sm:min-h-8')}
          onClick={onOpenLeads}
        >
          Open them
        </Link>
      )}
    </li>
  );
}

function Empty() {
  return (
    <p className="px-6 py-10 text-center text-balance text-muted">
      No notifications yet. Businesses assigned to you, comments on them and follow-ups that are due appear here.
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
