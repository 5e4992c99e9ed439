import { Bell as BellIcon } from 'lucide-react';
import { useState } from 'react';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { KeepPush } from '#web/reminders/KeepPush.tsx';
import { NotificationPanel } from './NotificationPanel.tsx';
import { useNotifications } from './notifications.data.ts';
import { useBrowserNotifications } from './use-browser-notifications.ts';

const MAX_SHOWN = 99;

export function Bell() {
  const [open, setOpen] = useState(false);
  const notifications = useNotifications();
  const timeZone = useTimeZone();
  useBrowserNotifications(notifications.data?.items, timeZone);
  const unread = notifications.data?.unread ?? 0;

  return (
    <>
      <KeepPush />
      <Popover
        label="Notifications"
        open={open}
        onOpenChange={setOpen}
        size="w-96 max-w-[calc(100vw-1.5rem)] p-0"
        trigger={
          <button
            type="button"
            aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
            className="hit-area grid size-9 place-items-center rounded-md transition-colors hover:bg-sunken sm:size-8"
          >
            <BellIcon aria-hidden="true" className="size-5" />
            {unread > 0 && (
              <span
                aria-hidden="true"
                className="absolute -top-1 -right-1 min-w-4 rounded-full bg-danger px-1 text-center text-xs font-semibold text-on-danger tabular-nums"
              >
                {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
              </span>
            )}
          </button>
        }
      >
        <NotificationPanel notifications={notifications} timeZone={timeZone} onNavigate={() => setOpen(false)} />
      </Popover>
    </>
  );
}
