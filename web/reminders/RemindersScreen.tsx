import { useTimeZone } from '#web/auth/settings.data.ts';
import { zoneSuffix } from '#web/kit/format.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { type BrowserReminders, useBrowserReminders } from './browser-reminders.ts';
import { CalendarCard } from './CalendarCard.tsx';
import { useReminderSettings, useSetMorningEmail } from './reminders.data.ts';

/** How the viewer is reminded of follow-ups. */
export function RemindersScreen() {
  const settings = useReminderSettings();
  return (
    <Page title="Reminders">
      {settings.isPending && <Loading label="Loading your reminders…" />}
      {settings.isError && (
        <ErrorState title="Your reminders could not be loaded" onRetry={() => void settings.refetch()}>
          {settings.error.message}
        </ErrorState>
      )}
      {settings.data && (
        <div className="flex max-w-3xl flex-col gap-4">
          <p className="text-sm text-muted">
            When a follow-up is due, it appears in the notifications of Highstreet. You can also be reminded in these
            ways.
          </p>
          <BrowserCard />
          <MorningEmailCard on={settings.data.morningEmail} />
          <CalendarCard createdAt={settings.data.calendarCreatedAt} />
        </div>
      )}
    </Page>
  );
}

const BROWSER_TEXT: Record<BrowserReminders, string> = {
  unsupported: 'This browser cannot show notifications.',
  blocked: 'Notifications of Highstreet are blocked in the settings of this browser. Allow them there first.',
  on: 'This browser shows a notification when a follow-up is due, as long as Highstreet is open in a tab.',
  off: 'This browser does not show notifications.',
  unanswered: 'This browser does not show notifications yet. It asks for your permission when you switch them on.',
};

function BrowserCard() {
  const { state, turnOn, turnOff } = useBrowserReminders();
  return (
    <Card>
      <CardTitle>Browser</CardTitle>
      <div className="flex flex-col gap-2">
        <Switch
          label="Notifications in this browser"
          checked={state === 'on'}
          disabled={state === 'unsupported' || state === 'blocked'}
          onChange={({ target }) => (target.checked ? turnOn() : turnOff())}
        />
        <p className="text-sm text-muted">{BROWSER_TEXT[state]}</p>
      </div>
    </Card>
  );
}

function MorningEmailCard({ on }: { on: boolean }) {
  const change = useSetMorningEmail();
  const timeZone = useTimeZone();
  const zone = timeZone && zoneSuffix(new Date().toISOString(), timeZone);
  return (
    <Card>
      <CardTitle>E-mail</CardTitle>
      <div className="flex flex-col gap-2">
        <Switch
          label="Morning e-mail"
          // The new state, while it is being saved.
          checked={change.isPending ? change.variables : on}
          onChange={({ target }) => !change.isPending && change.mutate(target.checked)}
        />
        <p className="text-sm text-muted">
          At 8:00{zone}, with what is due today and what is overdue. None on days with nothing due.
        </p>
      </div>
    </Card>
  );
}
