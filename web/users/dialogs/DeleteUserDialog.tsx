import { useState } from 'react';
import type { ManagedUser } from '#contract/users/user.ts';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useDeleteUser } from '#web/users/users.data.ts';

interface Props {
  user: ManagedUser;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

export function DeleteUserDialog({ user, onClose, onTriggerRemoved }: Props) {
  const remove = useDeleteUser(user.id);
  // `isPending` is set a render later, after a second click could have come.
  const [busy, setBusy] = useState(false);

  const confirm = () => {
    setBusy(true);
    remove.mutate(undefined, { onSuccess: onClose, onError: () => setBusy(false) });
  };

  return (
    <AlertDialog
      open
      title="Confirm Delete"
      description={
        <div className="flex flex-col gap-2">
          <p className="font-medium break-words text-ink">
            {user.fullName} ({user.username})
          </p>
          <p>This will permanently delete the user and all their related data.</p>
          <p>This action cannot be undone.</p>
        </div>
      }
      confirmLabel={busy ? 'Deleting...' : 'Delete User'}
      busy={busy}
      onConfirm={confirm}
      onClose={onClose}
      onTriggerRemoved={onTriggerRemoved}
    />
  );
}
