import { Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { useDraftKeptToast } from '#web/kit/storage/draft-kept.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { CreateUserDialog } from '#web/users/dialogs/CreateUserDialog.tsx';
import { Invitations } from './invitations/Invitations.tsx';
import { InviteDialog } from './invitations/InviteDialog.tsx';
import { UserList } from './UserList.tsx';
import { USER_DRAFTS } from './user-draft.ts';
import { useCurrentUsers } from './users.data.ts';

export function UsersScreen() {
  const viewer = useViewer();
  const users = useCurrentUsers();
  // A dialog that opened before would not show what was typed into it, and would write over it.
  const unlocked = useUnlockedDrafts(viewer.id);
  useDraftKeptToast(viewer.id, USER_DRAFTS, 'What you typed is kept in this tab. Open the dialog again to save it.');
  const [creating, setCreating] = useState(false);
  const [inviting, setInviting] = useState(false);

  return (
    <Page
      title="User Management"
      back={{ href: '/crm', label: 'Back to Dashboard' }}
      actions={
        <>
          <Button variant="secondary" onClick={() => setInviting(true)}>
            <Mail aria-hidden="true" />
            Invite User
          </Button>
          <Button onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            Add User
          </Button>
        </>
      }
    >
      {(users.isPending || (users.data && !unlocked)) && <UsersLoading />}
      {users.isError && (
        <ErrorState title="Error loading users. Please try again." onRetry={() => void users.refetch()} />
      )}
      {users.data && unlocked && <UserList users={users.data} viewerId={viewer.id} />}
      {users.data && <Invitations />}
      {inviting && unlocked && <InviteDialog onClose={() => setInviting(false)} />}
      {creating && unlocked && <CreateUserDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

function UsersLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading users…</span>
      <div className="flex flex-col gap-3 lg:gap-0 lg:divide-y lg:divide-line lg:rounded-lg lg:border lg:border-line lg:bg-surface">
        {SKELETON_ROWS.map((row) => (
          <div key={row} className="rounded-lg border border-line bg-surface p-4 lg:border-0 lg:bg-transparent">
            <Skeleton lines={2} />
          </div>
        ))}
      </div>
    </div>
  );
}
