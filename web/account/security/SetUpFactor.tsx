import { AuthLayout } from '#web/auth/AuthLayout.tsx';
import { useConfirmedLogout } from '#web/auth/confirm-logout.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { SecurityCard } from './SecurityCard.tsx';

/** The server refuses everything else until it is done. */
export function SetUpFactor() {
  const logout = useConfirmedLogout();
  return (
    <AuthLayout
      title="Set up a second factor"
      intro="Your team asks for more than a password. Set up one-time codes or a passkey to go on."
    >
      <SecurityCard />
      <Button variant="secondary" busy={logout.isPending} onClick={logout.start}>
        Logout
      </Button>
      <AlertDialog {...logout.dialog} />
    </AuthLayout>
  );
}
