// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops table semantics when rows are laid out as cards
import { clsx } from 'clsx';
import { useId } from 'react';
import { ACCOUNT_STATE_LABEL, type AccountState, accountState } from '#contract/users/account-state.ts';
import { type ManagedUser, ROLE_LABEL, type Role } from '#contract/users/user.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { type DialogAction, UserActions } from './UserActions.tsx';

const STATE_TONE: Record<AccountState, Tone> = { locked: 'danger', inactive: 'warn', active: 'good' };
const ROLE_TONE: Record<Role, Tone> = { admin: 'pine', manager: 'info', user: 'neutral' };

// On a narrow screen a row is a card, with the column headers before the values.
const row = clsx(
  'lg:hover:bg-paper max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:content-start max-lg:gap-x-4 max-lg:gap-y-1',
  'max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 max-lg:shadow-card',
);
const cell = 'lg:px-4 lg:py-2 lg:align-middle';
const wide = 'max-lg:col-span-2 [overflow-wrap:anywhere]';
const labelled =
  'max-lg:mt-2 max-lg:flex max-lg:items-center max-lg:gap-2 max-lg:before:text-muted max-lg:before:content-[attr(data-label)]';

interface Props {
  user: ManagedUser;
  own: boolean;
  now: Date;
  onDialog: (action: DialogAction, user: ManagedUser) => void;
}

export function UserRow({ user, own, now, onDialog }: Props) {
  const nameId = useId();
  const state = accountState(user, now);

  return (
    <tr role="row" tabIndex={-1} className={row}>
      <td role="cell" className={clsx(cell, '[overflow-wrap:anywhere] max-lg:text-base')}>
        <span id={nameId} className="font-semibold">
          {user.username}
        </span>
        {own && (
          <>
            {' '}
            <Badge tone="info">You</Badge>
          </>
        )}
      </td>
      <td role="cell" className={clsx(cell, wide, 'max-lg:row-start-3 max-lg:text-muted')}>
        {user.email}
      </td>
      <td role="cell" className={clsx(cell, wide, 'max-lg:row-start-2')}>
        {user.fullName}
      </td>
      <td role="cell" data-label="Role" className={clsx(cell, labelled)}>
        <Badge tone={ROLE_TONE[user.role]}>{ROLE_LABEL[user.role]}</Badge>
      </td>
      <td role="cell" data-label="Monthly Goal" className={clsx(cell, labelled, 'tabular-nums lg:text-right')}>
        {user.monthlyGoal}
      </td>
      <td role="cell" className={clsx(cell, 'max-lg:col-start-2 max-lg:row-start-1 max-lg:justify-self-end')}>
        <Badge tone={STATE_TONE[state]}>{ACCOUNT_STATE_LABEL[state]}</Badge>
      </td>
      <td
        role="cell"
        className={clsx(
          cell,
          'max-lg:col-span-2 max-lg:mt-2 max-lg:border-t max-lg:border-line max-lg:pt-1 max-lg:-mb-2',
        )}
      >
        <UserActions
          user={user}
          state={state}
          own={own}
          describedBy={nameId}
          onDialog={(action) => onDialog(action, user)}
        />
      </td>
    </tr>
  );
}
