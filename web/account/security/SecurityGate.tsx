import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSettings } from '#web/auth/settings.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { lazyComponent } from '#web/kit/lazy.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { LoadingPage } from '#web/kit/ui/Loading.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';

const SetUpFactor = lazyComponent(async () => (await import('./SetUpFactor.tsx')).SetUpFactor, <LoadingPage />);

/** Around all screens: what the viewer has to do for the security of their account, before anything else or in time. */
export function SecurityGate({ children }: { children: (hints: ReactNode) => ReactNode }) {
  const { data: settings } = useSettings();
  const [path] = useLocation();
  const [dismissed, setDismissed] = useState(false);
  const due = settings?.secondFactorDue;
  if (settings?.secondFactorOverdue) return <SetUpFactor />;
  // Where users arrive, so that lists begin where they always do.
  const asksForPassword = settings?.chooseOwnPassword && !dismissed && path === '/';
  if (path === '/account' || !(due || asksForPassword)) return children(null);
  return children(
    <div className="mb-4 flex flex-col gap-2">
      {due && (
        <Hint to="/account#security" action="Set it up">
          From {formatDate(due, settings.timeZone)} on, your team asks for more than a password: a one-time code or a
          passkey.
        </Hint>
      )}
      {asksForPassword && (
        <Hint to="/account#password" action="Choose your own" onDismiss={() => setDismissed(true)}>
          Another person has set your password, and knows it.
        </Hint>
      )}
    </div>,
  );
}

interface HintProps {
  to: string;
  action: string;
  onDismiss?: () => void;
  children: ReactNode;
}

function Hint({ to, action, onDismiss, children }: HintProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md bg-info-soft px-4 py-2 text-sm text-info-text">
      <p className="min-w-0 grow basis-64">{children}</p>
      <Link href={to} className={`hit-area py-1 font-medium ${linkClass}`}>
        {action}
      </Link>
      {onDismiss && (
        <Button variant="ghost" size="sm" onClick={onDismiss}>
          Not now
        </Button>
      )}
    </div>
  );
}
