import type { ReactNode } from 'react';
import type { ReminderSettings as ReminderSettingsBody } from '#contract/reminders/reminders.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { zoneSuffix } from '#web/kit/format.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { type BrowserReminders, useBrowserReminders } from './browser-reminders.ts';
import { CalendarAddress } from './CalendarAddress.tsx';
import { type PushAbility, readPushAbility } from './device-push.ts';
import { PushChoices } from './PushChoices.tsx';
import { usePush } from './push.data.ts';
import { EMAIL_LABEL, type ReminderEmail, useReminderSettings, useSetEmail } from './reminders.data.ts';

/** How the viewer is reminded of follow-ups. */
export function ReminderSettings() {
  const settings = useReminderSettings();
  return (
    <Card id="reminders">
      <CardTitle>Reminders</CardTitle>
      <div className="flex flex-col gap-6">
        <p className="text-sm text-muted">
          When a follow-up is due, it appears in the notifications of Highstreet. You can also be reminded in these
          ways.
        </p>
        <InThisBrowser />
        {settings.isPending && <Loading label="Loading your reminders…" />}
        {settings.isError && !settings.data && (
          <LoadError onRetry={() => void settings.refetch()}>Your reminders could not be loaded.</LoadError>
        )}
        {settings.data && (
          <>
            <Emails {...settings.data} />
            <CalendarAddress createdAt={settings.data.calendarCreatedAt} />
          </>
        )}
      </div>
    </Card>
  );
}

const BROWSER_TEXT: Record<BrowserReminders, string> = {
  unsupported: 'This browser cannot show notifications.',
  blocked: 'Notifications of Highstreet are blocked in the settings of this browser. Allow them there first.',
  on: 'This browser shows a notification when a follow-up is due, as long as Highstreet is open in a tab.',
  off: 'This browser does not show notifications.',
  unanswered: 'This browser does not show notifications yet. It asks for your permission when you switch them on.',
};

const RINGS_TEXT = 'This browser shows notifications, also while Highstreet is closed.';
const CANNOT_RING_TEXT: Record<Exclude<PushAbility, 'able'>, string> = {
  insecure: 'While Highstreet is closed it cannot: that needs an address that begins with https://.',
  unsupported:
    'While Highstreet is closed this browser cannot. On an iPhone or iPad, add Highstreet to the home screen and open it there.',
};

function InThisBrowser() {
  const { state, turnOn, turnOff } = useBrowserReminders();
  const push = usePush();
  const ability = readPushAbility();
  const rings = state === 'on' && Boolean(push.data?.endpoint);
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label="Notifications in this browser"
        checked={state === 'on'}
        disabled={state === 'unsupported' || state === 'blocked'}
        onChange={({ target }) => (target.checked ? turnOn() : turnOff())}
      />
      <p className="text-sm text-muted">{rings ? RINGS_TEXT : BROWSER_TEXT[state]}</p>
      {state === 'on' && ability !== 'able' && <p className="text-sm text-muted">{CANNOT_RING_TEXT[ability]}</p>}
      {rings && push.data && <PushChoices settings={push.data.settings} />}
    </div>
  );
}

function EmailSwitch({ email, on, children }: { email: ReminderEmail; on: boolean; children: ReactNode }) {
  const change = useSetEmail(email);
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label={EMAIL_LABEL[email]}
        // The new state, while it is being saved.
        checked={change.isPending ? change.variables : on}
        onChange={({ target }) => !change.isPending && change.mutate(target.checked)}
      />
      <p className="text-sm text-muted">{children}</p>
    </div>
  );
}

function Emails({ morningEmail, weeklyEmail }: Pick<ReminderSettingsBody, ReminderEmail>) {
  const { role } = useViewer();
  const timeZone = useTimeZone();
  const zone = timeZone && zoneSuffix(new Date().toISOString(), timeZone);
  return (
    <>
      <EmailSwitch email="morningEmail" on={morningEmail}>
        At 8:00{zone}, with what is due today and what is overdue. None on days with nothing due.
      </EmailSwitch>
      <EmailSwitch email="weeklyEmail" on={weeklyEmail}>
        On Mondays at 8:00{zone}, with {role === 'user' ? 'your figures' : "the team's figures"} of last week, those of
        the week before, and what to look at.
      </EmailSwitch>
    </>
  );
}
