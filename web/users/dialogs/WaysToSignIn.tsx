import { useState } from 'react';
import type { ManagedUser } from '#contract/users/user.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import {
  useDisconnectSsoOfUser,
  useRemoveCodesOfUser,
  useUsersWithCodes,
  useUsersWithSso,
} from '#web/users/users.data.ts';

/** What an administrator can take away of how a user signs in; nothing for users with a password only. */
export function WaysToSignIn({ user: { id, username }, own }: { user: ManagedUser; own: boolean }) {
  const withCodes = useUsersWithCodes();
  const removeCodes = useRemoveCodesOfUser(id);
  const withSso = useUsersWithSso();
  const disconnect = useDisconnectSsoOfUser(id);
  return (
    <>
      {withCodes.data?.includes(id) && !own && (
        <Way
          text="Has one-time codes or passkeys."
          action="Remove them"
          title={`Remove the one-time codes and passkeys of ${username}?`}
          description="For users who have lost their phone. Signing in then needs the password only, and the user is told by e-mail. Make sure that it is really they who ask."
          confirmLabel="Remove"
          remove={removeCodes}
        />
      )}
      {withSso.data?.includes(id) && (
        <Way
          text="Is connected to single sign-on."
          action="Disconnect"
          title={`Disconnect ${username} from single sign-on?`}
          description="For users who were made anew at the provider. Their sessions of single sign-on end, and the next one connects the account again by its e-mail address."
          confirmLabel="Disconnect"
          remove={disconnect}
        />
      )}
    </>
  );
}

interface WayProps {
  text: string;
  action: string;
  title: string;
  description: string;
  confirmLabel: string;
  remove: ReturnType<typeof useRemoveCodesOfUser>;
}

function Way({ text, action, remove, ...question }: WayProps) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4 text-sm">
      <p className="min-w-0 grow">{text}</p>
      <Button variant="danger-secondary" size="sm" onClick={() => setAsking(true)}>
        {action}
      </Button>
      <AlertDialog
        {...question}
        open={asking}
        onClose={close}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: close })}
      />
    </div>
  );
}
