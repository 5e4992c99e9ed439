import { clsx } from 'clsx';
import { Link } from 'wouter';
import type { Notification } from '#contract/notifications/notifications.calls.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';

interface Props {
  notification: Notification;
  timeZone: string | undefined;
  onOpen: () => void;
}

const look =
  'grid w-full grid-cols-[0.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3 text-left hover:bg-sunken focus-visible:-outline-offset-2';

/** Opening it marks it as read, and leads to the business while the reader holds it. */
export function NotificationRow({ notification, timeZone, onOpen }: Props) {
  const { title, message, read, relatedUuid, createdAt } = notification;
  const content = (
    <>
      <span aria-hidden="true" className={clsx('mt-1.5 size-2 rounded-full', !read && 'bg-awning')} />
      <span className="flex min-w-0 flex-col gap-0.5 [overflow-wrap:anywhere]">
        <span className={clsx(!read && 'font-semibold')}>
          {!read && <span className="sr-only">Unread: </span>}
          {title}
        </span>
        <span className="text-muted">{message}</span>
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
      {relatedUuid ? (
        <Link href={`/business/uuid/${relatedUuid}`} className={look} onClick={onOpen}>
          {content}
        </Link>
      ) : (
        <button type="button" className={look} onClick={onOpen}>
          {content}
        </button>
      )}
    </li>
  );
}
