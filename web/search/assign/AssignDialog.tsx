import { useState } from 'react';
import type { BusinessResult } from '#contract/search/search.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { OptionPicker } from '#web/kit/ui/forms/OptionPicker.tsx';
import { CountedProgress } from '#web/kit/ui/JobProgress.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useUsersToAssign } from '#web/search/search.data.ts';
import { toUserOption, USER_PICKER } from '#web/users/users.data.ts';
import { AssignError, type Refused, useAssign } from './assign.data.ts';
import { LooksLike } from './LooksLike.tsx';
import { ShareOutForm } from './ShareOutForm.tsx';

interface Props {
  businesses: BusinessResult[];
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

export function AssignDialog({ businesses, onDone, onClose, onTriggerRemoved }: Props) {
  // After a failure, the ones that were not assigned.
  const [remaining, setRemaining] = useState(businesses);
  const users = useUsersToAssign();
  const { assigning, done } = useAssign();
  const [sharing, setSharing] = useState(false);
  const refused = assigning.error instanceof AssignError ? assigning.error.refused : [];

  const assign = (userId: number) =>
    assigning.mutate(
      { userId, userName: findName(users.data, userId), businesses: remaining },
      {
        onSuccess: onDone,
        onError: (error) => error instanceof AssignError && setRemaining(error.refused.map(({ business }) => business)),
      },
    );

  return (
    <Dialog
      open
      title="Assign Businesses"
      description={describeCount(remaining.length)}
      onClose={() => !assigning.isPending && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <LooksLike businesses={businesses} />
      {sharing && users.data ? (
        <ShareOutForm
          businesses={remaining}
          users={users.data.map(toUserOption)}
          onDone={onDone}
          onBack={() => setSharing(false)}
        />
      ) : (
        <OptionPicker
          {...USER_PICKER}
          label="User"
          query={users}
          options={users.data?.map(toUserOption)}
          emptyMessage="There are no users to assign businesses to."
          validate={(userId) => (userId ? undefined : 'Please select a user')}
          submitLabel={['Assign', 'Assigning...']}
          busy={assigning.isPending}
          onSubmit={(userId) => assign(Number(userId))}
          onCancel={onClose}
        >
          {assigning.isPending && <CountedProgress label="Businesses assigned" done={done} total={remaining.length} />}
          {refused.length > 0 && <NotAssigned refused={refused} />}
          {!assigning.isPending && (
            <Button variant="link" className="self-start" onClick={() => setSharing(true)}>
              Share out to several users…
            </Button>
          )}
        </OptionPicker>
      )}
    </Dialog>
  );
}

const findName = (users: { id: number; fullName: string; username: string }[] = [], userId: number) => {
  const user = users.find(({ id }) => id === userId);
  return user?.fullName || user?.username;
};

const describeCount = (count: number) =>
  count === 1 ? '1 selected business will be assigned.' : `${count} selected businesses will be assigned.`;

function NotAssigned({ refused }: { refused: Refused[] }) {
  return (
    <Notice tone="danger">
      <p className="font-semibold">These could not be assigned:</p>
      <ul className="mt-1 list-disc pl-4">
        {refused.map(({ business, reason }) => (
          <li key={business.id} className="[overflow-wrap:anywhere]">
            {business.name}: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
