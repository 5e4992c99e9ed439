import { useRef, useState } from 'react';
import type { Passkey } from '#contract/account/passkeys.calls.ts';
import { canUsePasskeys } from '#web/auth/passkeys.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx';
import { usePasskeys, useRemovePasskey } from './passkeys.data.ts';
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx';

/** The viewer's passkeys, each of which signs in without a password. */
export function Passkeys({ off = false }: { off?: boolean }) {
  const passkeys = usePasskeys();
  const heading = useRef<HTMLHeadingElement>(null);
  const [adding, setAdding] = useState(false);
  const impossible = passkeys.data && findObstacle(passkeys.data.site);
  return (
    <section aria-labelledby="passkeys" className="flex flex-col items-start gap-3">
      <h3 ref={heading} tabIndex={-1} id="passkeys" className="font-semibold">
        Passkeys
      </h3>
      <p className="text-sm text-muted">
        Sign in with your fingerprint, your face or the PIN of your device, instead of password and code. A passkey
        cannot be guessed, and does not work on a faked page.
      </p>
      {passkeys.isPending && <Loading label="Loading your passkeys…" />}
      {passkeys.isError && !passkeys.data && (
        <LoadError onRetry={() => void passkeys.refetch()}>Your passkeys could not be loaded.</LoadError>
      )}
      {passkeys.data && passkeys.data.passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="flex w-full flex-col divide-y divide-line rounded-lg border border-line">
          {passkeys.data.passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} onRemoved={() => heading.current?.focus()} />
          ))}
        </ul>
      )}
      {passkeys.data &&
        (impossible ? (
          <p className="text-sm text-muted">{impossible}</p>
        ) : (
          <Button variant="secondary" disabled={off} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        ))}
      {adding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

/** Why passkeys cannot be made on this page; undefined where they can. */
function findObstacle(site: string): string | undefined {
  const { origin } = window.location;
  if (site !== origin) return `Passkeys work at ${site} only. This page is ${origin}.`;
  if (canUsePasskeys()) return undefined;
  return window.isSecureContext
    ? 'Passkeys do not work in this browser, or at an address that is only a number.'
    : 'Passkeys need an address with https.';
}

function PasskeyItem({ passkey, onRemoved }: { passkey: Passkey; onRemoved: () => void }) {
  const { id, name, synced, createdAt, lastUsedAt } = passkey;
  const timeZone = useTimeZone();
  const remove = useRemovePasskey();
  const [opened, setOpened] = useState<'rename' | 'remove'>();
  const close = () => setOpened(undefined);
  const date = (at: string) => <TeamTime at={at} timeZone={timeZone} format={formatDate} className="min-w-20" />;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3 text-sm">
      <div className="min-w-0 grow basis-56 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} {synced && <Badge>On several devices</Badge>}
        </p>
        <p className="text-muted">
          Added {date(createdAt)}; {lastUsedAt ? <>last used {date(lastUsedAt)}</> : 'not used yet'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => setOpened('rename')}>
          Rename<span className="sr-only">: {name}</span>
        </Button>
        <Button variant="danger-secondary" size="sm" onClick={() => setOpened('remove')}>
          Remove<span className="sr-only">: {name}</span>
        </Button>
      </div>
      {opened === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      <AlertDialog
        open={opened === 'remove'}
        onClose={close}
        title={`Remove the passkey “${name}”?`}
        description="It no longer signs you in. Remove it from your device or password manager as well."
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSettled: close })}
        onTriggerRemoved={onRemoved}
      />
    </li>
  );
}
