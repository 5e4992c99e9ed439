import { LogOut } from 'lucide-react';
import { useConfirmedLogout } from '#web/auth/confirm-logout.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';

export function LogoutButton() {
  const { start, isPending, dialog } = useConfirmedLogout();
  return (
    <>
      <Button variant="ghost" size="sm" busy={isPending} onClick={start}>
        {!isPending && <LogOut aria-hidden="true" className="wide:hidden" />}
        {isPending ? 'Logging out...' : 'Logout'}
      </Button>
      <AlertDialog {...dialog} />
    </>
  );
}
