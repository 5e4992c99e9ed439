import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import type { Notification } from '#contract/notifications/notifications.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { readBrowserReminders } from '#web/reminders/browser-reminders.ts';
import { formatMessage, useReadNotification } from './notifications.data.ts';

/** Shows reminders that arrive while the page is open as notifications of the browser, where the user allowed it. */
export function useBrowserNotifications(items: Notification[] | undefined, timeZone: string | undefined) {
  const { id: viewerId } = useViewer();
  const [, navigate] = useLocation();
  const markRead = useReadNotification();
  const newestId = useRef<number>(undefined);

  const open = useEffectEvent(({ id, relatedUuid }: Notification) => {
    window.focus();
    markRead.mutate(id);
    if (relatedUuid) navigate(`/business/uuid/${relatedUuid}`);
  });
  const show = useEffectEvent((item: Notification) =>
    showNotification({ ...item, message: formatMessage(item, timeZone) }, () => open(item)),
  );

  useEffect(() => {
    if (!items) return;
    const known = newestId.current;
    newestId.current = Math.max(known ?? 0, ...items.map(({ id }) => id));
    if (known === undefined || readBrowserReminders(viewerId) !== 'on') return;
    for (const item of items) {
      if (item.id > known && item.type === 'follow_up_due' && !item.read) show(item);
    }
  }, [items, viewerId]);
}

function showNotification({ id, title, message }: Notification, onOpen: () => void) {
  try {
    // Every tab shows it, and the browser keeps one of a tag.
    const shown = new window.Notification(title, { body: message, tag: `highstreet-${id}` });
    shown.onclick = () => {
      shown.close();
      onOpen();
    };
  } catch {
    // Chrome on Android allows it to service workers only; the bell has the reminder.
  }
}
