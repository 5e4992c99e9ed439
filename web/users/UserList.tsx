import { useEffect, useRef, useState } from 'react';
import { accountState } from '#contract/users/account-state.ts';
import type { ManagedUser } from '#contract/users/user.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { DeleteUserDialog } from '#web/users/dialogs/DeleteUserDialog.tsx';
import { EditUserDialog } from '#web/users/dialogs/EditUserDialog.tsx';
import { ResetPasswordDialog } from '#web/users/dialogs/ResetPasswordDialog.tsx';
import { countPages, findUsers, NO_FILTER, slicePage } from './find-users.ts';
import { useTimeAtLockExpiry } from './lock-expiry.ts';
import type { DialogAction } from './UserActions.tsx';
import { UserFilters } from './UserFilters.tsx';
import { UserRow } from './UserRow.tsx';
import { UsersTable, useTableFocus } from './UsersTable.tsx';
import { useUserListState } from './user-list-state.ts';

interface Props {
  users: ManagedUser[];
  viewerId: number;
}

export function UserList({ users, viewerId }: Props) {
  const [state, change] = useUserListState();
  const [dialog, setDialog] = useState<{ action: DialogAction; user: ManagedUser }>();
  const searchBox = useRef<HTMLInputElement>(null);
  const { body, restore, focusHandlers } = useTableFocus(() => searchBox.current);
  const now = useTimeAtLockExpiry(users);

  const found = findUsers(users, state, now);
  const pages = countPages(found.length);
  const page = Math.min(state.page, pages);
  const { rows, from, to } = slicePage(found, page);
  const anyLocked = rows.some((user) => accountState(user, now) === 'locked');
  // The last row of the last page was removed.
  useEffect(() => {
    if (state.page !== page) change({ page }, { replace: true });
  });

  const clear = () => {
    change(NO_FILTER);
    searchBox.current?.focus();
  };

  return (
    <div className="flex flex-col gap-4">
      <UserFilters filter={state} onFilter={change} searchBox={searchBox} />
      {/* A live region must exist before its content. */}
      <div role="status" className="empty:hidden">
        {found.length === 0 && (
          <EmptyState
            title="No users found matching your search."
            actions={
              <Button variant="secondary" onClick={clear}>
                Clear filters
              </Button>
            }
          />
        )}
      </div>
      {found.length > 0 && (
        <>
          <UsersTable body={body} focusHandlers={focusHandlers}>
            {rows.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                own={user.id === viewerId}
                alignToUnlock={anyLocked}
                now={now}
                onDialog={(action, user) => setDialog({ action, user })}
              />
            ))}
          </UsersTable>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <p aria-live="polite" className="text-sm text-muted">
              Showing {from} to {to} of {found.length} users
            </p>
            <Pagination label="Users" page={page} pages={pages} onPage={(page) => change({ page })} />
          </div>
        </>
      )}
      {dialog && (
        <UserDialog
          {...dialog}
          own={dialog.user.id === viewerId}
          onClose={() => setDialog(undefined)}
          onTriggerRemoved={restore}
        />
      )}
    </div>
  );
}

interface UserDialogProps {
  action: DialogAction;
  user: ManagedUser;
  own: boolean;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

function UserDialog({ action, own, ...rest }: UserDialogProps) {
  switch (action) {
    case 'edit':
      return <EditUserDialog own={own} {...rest} />;
    case 'reset':
      return <ResetPasswordDialog {...rest} />;
    case 'delete':
      return <DeleteUserDialog {...rest} />;
  }
}
