import { useState } from 'react';
import { hasDrafts } from '#web/kit/storage/drafts.ts';
import { useLogout, useViewer } from './session.data.ts';

/** Logs out. That deletes drafts, so a user with unsaved text confirms it in an `AlertDialog` with the returned props. */
export function useConfirmedLogout() {
  const viewer = useViewer();
  const logout = useLogout();
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  return {
    start: () => (hasDrafts(viewer.id) ? setConfirming(true) : logout.mutate()),
    isPending: logout.isPending,
    dialog: {
      open: confirming,
      title: 'Notes not saved',
      description: 'You have notes that are not saved. Log out and lose them?',
      confirmLabel: logout.isPending ? 'Logging out...' : 'Log out',
      busy: logout.isPending,
      onConfirm: () => logout.mutate(undefined, { onError: close }),
      onClose: close,
    },
  };
}
