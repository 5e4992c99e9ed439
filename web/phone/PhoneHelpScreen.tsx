import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSettings } from '#web/auth/settings.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { useInstallPrompt } from './install-prompt.ts';

/** How to have Highstreet on the home screen, and what works there. */
export function PhoneHelpScreen() {
  const install = useInstallPrompt();
  return (
    <Page title="On your phone">
      <div className="flex max-w-3xl flex-col gap-6">
        {!window.isSecureContext && <NotSecure />}
        <Section title="On an iPhone or iPad">
          <Steps>
            <li>Open this page in Safari.</li>
            <li>Press the Share button: the square with an arrow that points up.</li>
            <li>Choose “Add to Home Screen”, then “Add”.</li>
            <li>Open Highstreet from its icon, and sign in there once more.</li>
          </Steps>
        </Section>
        <Section title="On an Android phone">
          {install && (
            <Button variant="secondary" className="self-start" onClick={install}>
              Install Highstreet
            </Button>
          )}
          <Steps>
            <li>Open this page in Chrome or Edge. In Firefox and Samsung Internet it is much the same.</li>
            <li>Open the menu: the three dots.</li>
            <li>Choose “Add to Home screen” or “Install app”.</li>
            <li>Press the icon for a while: it has the shortcuts Today, Add a business and Map.</li>
          </Steps>
        </Section>
        <Section title="Without a network">
          <List>
            <li>Highstreet opens, also on screens that you have not opened before on this device.</li>
            <li>
              Today, your trip and up to 500 of your open leads can be read for seven days. They say how old they are.
            </li>
            <li>The map shows coasts and towns; its streets need a network.</li>
            <li>Searches, imports, reports and everything about the team need a network.</li>
            <li>After an update, Highstreet says so and opens the next screen in the new version.</li>
          </List>
        </Section>
        <Section title="In the hand">
          <List>
            <li>
              On Today, swipe a lead to the right to log a contact, to the left to move its follow-up. The buttons do
              the same.
            </li>
            <li>Back closes an open sheet or dialog before it leaves the screen.</li>
          </List>
        </Section>
        <Section title="Notifications">
          <p>
            Switch on “Notifications in this browser”{' '}
            <Link href="/account#reminders" className={linkClass}>
              in your account
            </Link>
            . Your phone then tells you what you choose there, also while Highstreet is closed. An iPhone does so only
            for the installed app.
          </p>
        </Section>
      </div>
    </Page>
  );
}

function NotSecure() {
  const settings = useSettings();
  return (
    <p className="rounded-md bg-warn-soft px-4 py-3 text-sm text-warn-text">
      This address does not begin with https, so browsers do not let Highstreet work without a network.
      {settings.data && <> Whoever runs it can change that: {settings.data.supportEmail}.</>}
    </p>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardTitle>{title}</CardTitle>
      <div className="flex flex-col gap-3">{children}</div>
    </Card>
  );
}

const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="flex list-decimal flex-col gap-2 pl-6">{children}</ol>
);

const List = ({ children }: { children: ReactNode }) => (
  <ul className="flex list-disc flex-col gap-2 pl-6">{children}</ul>
);
