import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { CreateUserDialog } from './CreateUserDialog.tsx';
import { UserList } from './UserList.tsx';
import { UsersLoading } from './UsersLoading.tsx';
import { useCurrentUsers } from './users.data.ts';

export function UsersScreen() {
  const viewer = useViewer();
  const users = useCurrentUsers();
  const [creating, setCreating] = useState(false);

  return (
    <Page
      title="User Management"
      back={{ href: '/crm', label: 'Back to Dashboard' }}
      actions={
        <Button onClick={() => setCreating(true)}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add User
        </Button>
      }
    >
      {users.isPending && <UsersLoading />}
      {users.isError && (
        <ErrorState title="Error loading users. Please try again." onRetry={() => void users.refetch()} />
      )}
      {users.data && <UserList users={users.data} viewerId={viewer.id} />}
      {creating && <CreateUserDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
