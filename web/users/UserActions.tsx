import { KeyRound, LockOpen, SquarePen, Trash2, UserCheck, UserX } from 'lucide-react';
import type { AccountState } from '#contract/users/account-state.ts';
import type { ManagedUser } from '#contract/users/user.ts';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { useSetUserActive, useUnlockUser } from './users.data.ts';

/** What is asked in a dialog before it is done. */
export type Question = 'edit' | 'reset' | 'delete';

interface Props {
  user: ManagedUser;
  state: AccountState;
  /** Whether it is the viewer's own account. */
  own: boolean;
  /** The id of the element that says whose row this is. */
  describedBy: string;
  onAsk: (question: Question) => void;
}

/** The buttons of one row. Those that ask nothing act from here, so that each row knows what it is waiting for. */
export function UserActions({ user, state, own, describedBy, onAsk }: Props) {
  const unlock = useUnlockUser(user.id);
  const setActive = useSetUserActive(user.id);
  const whose = { 'aria-describedby': describedBy };

  return (
    <div className="flex max-lg:-mx-2.5 max-lg:gap-1 lg:-mr-2.5 lg:justify-end">
      <IconButton {...whose} icon={SquarePen} label="Edit user" onClick={() => onAsk('edit')} />
      <IconButton {...whose} icon={KeyRound} label="Reset password" onClick={() => onAsk('reset')} />
      {state === 'locked' ? (
        <IconButton
          {...whose}
          icon={LockOpen}
          label="Unlock account"
          busy={unlock.isPending}
          onClick={() => unlock.mutate()}
        />
      ) : (
        // Keeps the buttons of all rows in line.
        <span className="w-9 max-lg:hidden" />
      )}
      {/* What cannot be pressed is described by its reason, which the tooltip says. */}
      <IconButton
        {...(own ? {} : whose)}
        icon={user.active ? UserX : UserCheck}
        label={user.active ? 'Deactivate User (prevent login)' : 'Activate User (allow login)'}
        disabledReason={own ? 'You cannot deactivate your own account' : undefined}
        busy={setActive.isPending}
        onClick={() => setActive.mutate(!user.active)}
      />
      <IconButton
        {...(own ? {} : whose)}
        icon={Trash2}
        label="Delete user"
        tone="danger"
        className="max-lg:ml-auto"
        disabledReason={own ? 'You cannot delete your own account' : undefined}
        onClick={() => onAsk('delete')}
      />
    </div>
  );
}
