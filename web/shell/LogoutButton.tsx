import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useLogout, useViewer } from '#web/auth/session.data.ts';
import { hasDrafts } from '#web/kit/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/Dialog.tsx';

/** Logging out leaves nothing behind: whoever has notes that are not saved is asked first. */
export function LogoutButton() {
  const viewer = useViewer();
  const logout = useLogout();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        busy={logout.isPending}
        onClick={() => (hasDrafts(viewer.id) ? setAsking(true) : logout.mutate())}
      >
        {!logout.isPending && <LogOut aria-hidden="true" className="size-4.5 max-sm:hidden" />}
        {logout.isPending ? 'Logging out...' : 'Logout'}
      </Button>
      <AlertDialog
        open={asking}
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
