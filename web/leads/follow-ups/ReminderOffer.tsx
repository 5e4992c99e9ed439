import { Button } from '#web/kit/ui/Button.tsx';
import { useBrowserReminders, useReminderOffer } from '#web/reminders/browser-reminders.ts';

/** Shown once, after the first follow-up was planned; the browser asks for its permission only after "Allow". */
export function ReminderOffer() {
  const offered = useReminderOffer();
  const { turnOn, turnOff } = useBrowserReminders();
  if (!offered) return null;
  return (
    <div aria-live="polite" className="flex flex-col gap-2 text-sm">
      <p className="font-medium">Be reminded in this browser?</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={turnOn}>
          Allow
        </Button>
        <Button variant="ghost" size="sm" onClick={turnOff}>
          Not now
        </Button>
      </div>
    </div>
  );
}
