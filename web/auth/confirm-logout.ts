import { useState } from 'react';
import { useOutboxEntries } from '#web/kit/outbox/outbox.ts';
import { hasDrafts } from '#web/kit/storage/drafts.ts';
import { useLogout, useViewer } from './session.data.ts';

/**
 * Logs out. That deletes drafts and what waits to be sent, so a user with some of it confirms that in an `AlertDialog` with
 * the returned props.
 */
export function useConfirmedLogout() {
  const viewer = useViewer();
  const logout = useLogout();
  const waiting = useOutboxEntries().length;
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  return {
    start: () => (waiting || hasDrafts(viewer.id) ? setConfirming(true) : logout.mutate()),
    isPending: logout.isPending,
    dialog: {
      open: confirming,
      ...describeLoss(waiting),
      confirmLabel: logout.isPending ? 'Logging out...' : 'Log out',
      busy: logout.isPending,
      onConfirm: () => logout.mutate(undefined, { onError: close }),
      onClose: close,
    },
  };
}

function describeLoss(waiting: number) {
  if (!waiting) {
    return { title: 'Notes not saved', description: 'You have notes that are not saved. Log out and lose them?' };
  }
  const what = waiting === 1 ? 'One change was' : `${waiting} changes were`;
  const description = `${what} made without a connection and not sent yet. Log out and lose what is not sent or saved?`;
  return { title: 'Not everything is sent', description };
}
