import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useLogout, useViewer } from '#web/auth/session.data.ts';
import { hasDrafts } from '#web/kit/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/Dialog.tsx';

/** Logging out deletes drafts, so a user with unsaved text confirms it. */
export function LogoutButton() {
  const viewer = useViewer();
  const logout = useLogout();
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        busy={logout.isPending}
        onClick={() => (hasDrafts(viewer.id) ? setConfirming(true) : logout.mutate())}
      >
        {!logout.isPending && <LogOut aria-hidden="true" className="wide:hidden" />}
        {logout.isPending ? 'Logging out...' : 'Logout'}
      </Button>
      <AlertDialog
        open={confirming}
        title="Notes not saved"
        description="You have notes that are not saved. Log out and lose them?"
        confirmLabel={logout.isPending ? 'Logging out...' : 'Log out'}
        busy={logout.isPending}
        onConfirm={() => logout.mutate(undefined, { onError: close })}
        onClose={close}
      />
    </>
  );
}
