import { type FormEvent, useRef, useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/Dialog.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { type Option, SelectField } from '#web/kit/ui/Select.tsx';
import { useAssignees } from '#web/leads/lead-reads.data.ts';
import { useBulkReassign } from './bulk.data.ts';

interface Props {
  ids: number[];
  onDone: () => void;
  onClose: () => void;
  onOriginGone: () => void;
}

export function ReassignLeadsDialog({ ids, onDone, onClose, onOriginGone }: Props) {
  const viewer = useViewer();
  const assignees = useAssignees();
  const reassign = useBulkReassign();
  const others = assignees.data?.filter(({ id }) => id !== viewer.id);
  const options = others?.map(({ id, fullName, username }) => ({
    value: String(id),
    label: fullName ? `${fullName} (${username})` : username,
  }));

  return (
    <Dialog
      open
      title="Reassign Businesses"
      description={`Hand ${ids.length} selected business(es) to somebody else.`}
      onClose={() => !reassign.isPending && onClose()}
      onOriginGone={onOriginGone}
    >
      {assignees.isPending && <Loading label="Loading users…" />}
      {assignees.isError && !options && (
        <ErrorState title="Users could not be loaded" onRetry={() => void assignees.refetch()}>
          {assignees.error.message}
        </ErrorState>
      )}
      {options?.length === 0 && <Notice>There is nobody else to hand these businesses to.</Notice>}
      {options && options.length > 0 && (
        <ReassignForm
          options={options}
          empty={ids.length === 0}
          busy={reassign.isPending}
          onCancel={onClose}
          onReassign={(newUserId, notes) =>
            reassign.mutate({ ids, newUserId, ...(notes && { notes }) }, { onSuccess: onDone })
          }
        />
      )}
    </Dialog>
  );
}

interface FormProps {
  options: Option[];
  /** What was selected has gone in the meantime. */
  empty: boolean;
  busy: boolean;
  onCancel: () => void;
  onReassign: (userId: number, notes: string) => void;
}

function ReassignForm({ options, empty, busy, onCancel, onReassign }: FormProps) {
  const [userId, setUserId] = useState('');
  const [notes, setNotes] = useState('');
  const [error, setError] = useState<string>();
  const picker = useRef<HTMLSelectElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (userId && !empty) return onReassign(Number(userId), notes.trim());
    setError(empty ? 'No businesses selected for reassignment' : 'Please select a user to reassign to');
    picker.current?.focus();
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <SelectField
        ref={picker}
        label="Reassign to"
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
      <TextField
        label="Notes"
        hint="Optional. The new holder finds them in the assignment history."
        placeholder="Reason for reassignment..."
        maxLength={1_000}
        value={notes}
        disabled={busy}
        onChange={({ target }) => setNotes(target.value)}
      />
      <DialogActions>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Reassigning...' : 'Reassign'}
        </Button>
      </DialogActions>
    </form>
  );
}
