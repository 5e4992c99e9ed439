import { useState } from 'react';
import type { ManagedUser } from '#contract/users/user.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useRemoveCodesOfUser, useUsersWithCodes } from '#web/users/users.data.ts';

/** Nothing for users without one-time codes. */
export function CodesOfUser({ user: { id, username } }: { user: ManagedUser }) {
  const withCodes = useUsersWithCodes();
  const remove = useRemoveCodesOfUser(id);
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  if (!withCodes.data?.includes(id)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4 text-sm">
      <p className="min-w-0 grow">Signs in with one-time codes.</p>
      <Button variant="danger-secondary" size="sm" onClick={() => setAsking(true)}>
        Turn off codes
      </Button>
      <AlertDialog
        open={asking}
        onClose={close}
        title={`Turn off the one-time codes of ${username}?`}
        description="For users who have lost their phone and their recovery codes. Signing in then needs the password only, and the user is told by e-mail. Make sure that it is really they who ask."
        confirmLabel="Turn off"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: close })}
      />
    </div>
  );
}
