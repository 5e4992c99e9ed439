import { KeyRound, LockOpen, SquarePen, Trash2, UserCheck, UserX } from 'lucide-react';
import type { AccountState } from '#contract/users/account-state.ts';
import type { ManagedUser } from '#contract/users/user.ts';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { useSetUserActive, useUnlockUser } from './users.data.ts';

/** An action that opens a dialog. */
export type DialogAction = 'edit' | 'reset' | 'delete';

interface Props {
  user: ManagedUser;
  state: AccountState;
  /** Whether it is the viewer's own account. */
  own: boolean;
  /** Whether a row of the page has an unlock button: the others leave its place free, so that all buttons are aligned. */
  alignToUnlock: boolean;
  /** The id of the element with the user's name. */
  describedBy: string;
  onDialog: (action: DialogAction) => void;
}

/** The buttons of one row. Actions without a dialog run here, so that each row has its own pending state. */
export function UserActions({ user, state, own, alignToUnlock, describedBy, onDialog }: Props) {
  const unlock = useUnlockUser(user.id);
  const setActive = useSetUserActive(user.id);
  const description = { 'aria-describedby': describedBy };

  return (
    <div className="flex max-lg:-mx-3 max-lg:gap-1 lg:-mr-2 lg:justify-end">
      <IconButton {...description} icon={SquarePen} label="Edit user" onClick={() => onDialog('edit')} />
      <IconButton {...description} icon={KeyRound} label="Reset password" onClick={() => onDialog('reset')} />
      {state === 'locked' ? (
        <IconButton
          {...description}
          icon={LockOpen}
          label="Unlock account"
          busy={unlock.isPending}
          onClick={() => unlock.mutate()}
        />
      ) : (
        alignToUnlock && <span className="w-10 max-lg:hidden" />
      )}
      {/* A disabled button is described by its reason, in the tooltip. */}
      <IconButton
        {...(own ? {} : description)}
        icon={user.active ? UserX : UserCheck}
        label={user.active ? 'Deactivate User (prevent login)' : 'Activate User (allow login)'}
        disabledReason={own ? 'You cannot deactivate your own account' : undefined}
        busy={setActive.isPending}
        onClick={() => setActive.mutate(!user.active)}
      />
      <IconButton
        {...(own ? {} : description)}
        icon={Trash2}
        label="Delete user"
        tone="danger"
        className="max-lg:ml-auto"
        disabledReason={own ? 'You cannot delete your own account' : undefined}
        onClick={() => onDialog('delete')}
      />
    </div>
  );
}
