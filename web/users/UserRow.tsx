import { clsx } from 'clsx';
import { useId } from 'react';
import { ACCOUNT_STATE_LABEL, type AccountState, accountState } from '#contract/users/account-state.ts';
import { type ManagedUser, ROLE_LABEL, type Role } from '#contract/users/user.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { CardCell, CardRow } from '#web/kit/ui/tables/CardTable.tsx';
import { type DialogAction, UserActions } from './UserActions.tsx';

const STATE_TONE: Record<AccountState, Tone> = { locked: 'danger', inactive: 'warn', active: 'good' };
const ROLE_TONE: Record<Role, Tone> = { admin: 'pine', manager: 'info', user: 'neutral' };

const wide = 'max-lg:col-span-2 [overflow-wrap:anywhere]';
const labelled = 'max-lg:mt-2 max-lg:flex max-lg:items-center';

interface Props {
  user: ManagedUser;
  own: boolean;
  /** Whether a row of the page is locked. */
  alignToUnlock: boolean;
  now: Date;
  onDialog: (action: DialogAction, user: ManagedUser) => void;
}

export function UserRow({ user, own, alignToUnlock, now, onDialog }: Props) {
  const nameId = useId();
  const state = accountState(user, now);

  return (
    <CardRow tabIndex={-1} className="max-lg:grid-cols-[minmax(0,1fr)_auto]">
      <CardCell className="[overflow-wrap:anywhere] max-lg:text-base">
        <span id={nameId} className="font-semibold">
          {user.username}
        </span>
        {own && (
          <>
            {' '}
            <Badge tone="info">You</Badge>
          </>
        )}
      </CardCell>
      <CardCell className={clsx(wide, 'max-lg:row-start-3 max-lg:text-muted')}>{user.email}</CardCell>
      <CardCell className={clsx(wide, 'max-lg:row-start-2')}>{user.fullName}</CardCell>
      <CardCell label="Role" className={labelled}>
        <Badge tone={ROLE_TONE[user.role]}>{ROLE_LABEL[user.role]}</Badge>
      </CardCell>
      <CardCell label="Monthly Goal" className={clsx(labelled, 'tabular-nums lg:text-right')}>
        {user.monthlyGoal}
      </CardCell>
      <CardCell className="max-lg:col-start-2 max-lg:row-start-1 max-lg:justify-self-end">
        <Badge tone={STATE_TONE[state]}>{ACCOUNT_STATE_LABEL[state]}</Badge>
      </CardCell>
      <CardCell className="max-lg:col-span-2 max-lg:mt-2 max-lg:border-t max-lg:border-line max-lg:pt-1 max-lg:-mb-2">
        <UserActions
          user={user}
          state={state}
          own={own}
          alignToUnlock={alignToUnlock}
          describedBy={nameId}
          onDialog={(action) => onDialog(action, user)}
        />
      </CardCell>
    </CardRow>
  );
}
