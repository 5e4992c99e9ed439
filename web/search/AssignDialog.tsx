import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { BusinessResult } from '#contract/search/search.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { CountedProgress } from '#web/kit/ui/CountedProgress.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/Dialog.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { type Option, SelectField } from '#web/kit/ui/Select.tsx';
import { AssignFailed, type Refused, useAssign } from './assign.data.ts';
import { useUsersToAssign } from './search.data.ts';

interface Props {
  businesses: BusinessResult[];
  onDone: () => void;
  onClose: () => void;
}

export function AssignDialog({ businesses, onDone, onClose }: Props) {
  // After a failure, those that are left.
  const [waiting, setWaiting] = useState(businesses);
  const users = useUsersToAssign();
  const { assigning, done } = useAssign();
  const options = users.data?.map(({ id, fullName, username }) => ({
    value: String(id),
    label: fullName ? `${fullName} (${username})` : username,
  }));
  const refused = assigning.error instanceof AssignFailed ? assigning.error.refused : [];

  const assign = (userId: number) =>
    assigning.mutate(
      { userId, businesses: waiting },
      {
        onSuccess: onDone,
        onError: (error) => error instanceof AssignFailed && setWaiting(error.refused.map(({ business }) => business)),
      },
    );

  return (
    <Dialog
      open
      title="Assign Businesses"
      description={sayHowMany(waiting.length)}
      onClose={() => !assigning.isPending && onClose()}
    >
      {users.isPending && <Loading label="Loading users…" />}
      {users.isError && !options && (
        <ErrorState title="Users could not be loaded" onRetry={() => void users.refetch()}>
          {users.error.message}
        </ErrorState>
      )}
      {options && (
        <AssignForm options={options} busy={assigning.isPending} onCancel={onClose} onAssign={assign}>
          {assigning.isPending && <CountedProgress label="Businesses assigned" done={done} total={waiting.length} />}
          {refused.length > 0 && <NotAssigned refused={refused} />}
        </AssignForm>
      )}
    </Dialog>
  );
}

const sayHowMany = (count: number) =>
  count === 1 ? '1 selected business will be assigned.' : `${count} selected businesses will be assigned.`;

interface FormProps {
  options: Option[];
  busy: boolean;
  onCancel: () => void;
  onAssign: (userId: number) => void;
  children: ReactNode;
}

function AssignForm({ options, busy, onCancel, onAssign, children }: FormProps) {
  const [userId, setUserId] = useState('');
  const [error, setError] = useState<string>();
  const picker = useRef<HTMLSelectElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (userId) return onAssign(Number(userId));
    setError('Please select a user');
    picker.current?.focus();
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <SelectField
        ref={picker}
        label="User"
        placeholder="Select a user"
        options={options}
        value={userId}
        error={error}
        disabled={busy}
        onChange={({ target }) => {
          setUserId(target.value);
          setError(undefined);
        }}
      />
      {children}
      <DialogActions>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Assigning...' : 'Assign'}
        </Button>
      </DialogActions>
    </form>
  );
}

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
