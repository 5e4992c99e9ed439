import { useState } from 'react';
import type { CodesState } from '#contract/account/codes.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import { useCodes } from './codes.data.ts';
import { Passkeys } from './Passkeys.tsx';
import { RemoveCodesDialog } from './RemoveCodesDialog.tsx';
import { RenewRecoveryCodesDialog } from './RenewRecoveryCodesDialog.tsx';
import { SetUpCodesDialog } from './SetUpCodesDialog.tsx';

const FEW_CODES = 3;

/** What signing in needs besides the password. */
export function SecurityCard() {
  const codes = useCodes();
  const off = useTeamSettings().security.secondFactor === 'off';
  return (
    <Card id="security">
      <CardTitle>Security</CardTitle>
      {codes.isPending && <Loading label="Loading your security settings…" />}
      {codes.isError && !codes.data && (
        <LoadError onRetry={() => void codes.refetch()}>Your security settings could not be loaded.</LoadError>
      )}
      <div className="flex flex-col gap-6">
        {off && (
          <p className="text-sm text-muted">An administrator has switched off second factors: none can be set up.</p>
        )}
        {codes.data && <OneTimeCodes codes={codes.data} off={off} />}
        <Passkeys off={off} />
      </div>
    </Card>
  );
}

type Opened = 'set-up' | 'renew' | 'remove';

function OneTimeCodes({ codes: { since, recoveryCodesLeft }, off }: { codes: CodesState; off: boolean }) {
  const [opened, setOpened] = useState<Opened>();
  const timeZone = useTimeZone();
  const close = () => setOpened(undefined);
  return (
    <section aria-labelledby="one-time-codes" className="flex flex-col items-start gap-3">
      <h3 id="one-time-codes" className="flex flex-wrap items-center gap-2 font-semibold">
        One-time codes {since ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
      </h3>
      {since ? (
        <p className="text-sm text-muted">
          Since <TeamTime at={since} timeZone={timeZone} format={formatDate} className="min-w-20" />, signing in needs a
          code of your authenticator app as well. {describeLeft(recoveryCodesLeft)}
        </p>
      ) : (
        <p className="text-sm text-muted">
          An app on your phone shows a new code every 30 seconds. With your password alone, another person can then no
          longer sign in as you.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {since ? (
          <>
            <Button variant="secondary" onClick={() => setOpened('renew')}>
              New recovery codes
            </Button>
            <Button variant="danger-secondary" onClick={() => setOpened('remove')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button variant="secondary" disabled={off} onClick={() => setOpened('set-up')}>
            Set up one-time codes
          </Button>
        )}
      </div>
      {opened === 'set-up' && <SetUpCodesDialog onClose={close} />}
      {opened === 'renew' && <RenewRecoveryCodesDialog onClose={close} />}
      {opened === 'remove' && <RemoveCodesDialog onClose={close} />}
    </section>
  );
}

function describeLeft(left: number) {
  if (left === 0) return 'You have no recovery codes left: make new ones.';
  const text = `You have ${left === 1 ? '1 recovery code' : `${left} recovery codes`} left`;
  return left <= FEW_CODES ? `${text}: better make new ones.` : `${text}.`;
}
