import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadName } from '#contract/leads/lead-call.ts';
import { ApiError } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/Dialog.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';
import { useActionKey } from './action-key.ts';
import { useAssignees } from './lead-reads.data.ts';
import { useReassignLead } from './leads.data.ts';

interface Props {
  name: LeadName;
  profile: LeadProfile;
  viewerId: number;
  onClose: () => void;
}

export function ReassignDialog({ name, profile, viewerId, onClose }: Props) {
  const assignees = useAssignees();
  const [busy, setBusy] = useState(false);
  const holderId = profile.userBusiness.userId;
  const others = assignees.data?.filter(({ id }) => id !== holderId && id !== viewerId);

  return (
    <Dialog
      open
      title="Reassign Business"
      description={`Hand ${profile.business.name} to somebody else. ${profile.user.fullName} holds it now.`}
      onClose={() => !busy && onClose()}
    >
      {!others && assignees.isPending && <Loading label="Loading users…" />}
      {!others && assignees.isError && (
        <ErrorState title="Users could not be loaded" onRetry={() => void assignees.refetch()}>
          {assignees.error.message}
        </ErrorState>
      )}
      {others?.length === 0 && <Notice>There is nobody else to hand this business to.</Notice>}
      {others && others.length > 0 && (
        <ReassignForm name={name} options={others.map(optionOf)} busy={busy} onBusy={setBusy} onClose={onClose} />
      )}
    </Dialog>
  );
}

const optionOf = ({ id, username, role }: { id: number; username: string; role: string }) => ({
  value: String(id),
  label: `${username} (${role})`,
});

interface FormProps {
  name: LeadName;
  options: { value: string; label: string }[];
  busy: boolean;
  onBusy: (busy: boolean) => void;
  onClose: () => void;
}

function ReassignForm({ name, options, busy, onBusy, onClose }: FormProps) {
  const [, navigate] = useLocation();
  const reassign = useReassignLead(name);
  const action = useActionKey();
  const [userId, setUserId] = useState('');
  const [notes, setNotes] = useState('');
  const [error, setError] = useState<{ user?: string; notes?: string }>({});

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!userId) return setError({ user: 'Please select a user to reassign to' });
    setError({});
    onBusy(true);
    const body = { newUserId: Number(userId), ...(notes.trim() && { notes: notes.trim() }) };
    reassign.mutate(
      { ...body, key: action.keyFor(body) },
      {
        onSuccess: () => navigate('/crm'),
        onError: (refused) => {
          onBusy(false);
          const said = refused instanceof ApiError ? refused.errors.find(({ path }) => path === 'notes') : undefined;
          if (said) setError({ notes: said.message });
        },
      },
    );
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <SelectField
        label="Reassign to"
        placeholder="Select a user"
        options={options}
        value={userId}
        error={error.user}
        onChange={({ target }) => {
          setUserId(target.value);
          setError({});
        }}
      />
      <TextField
        label="Notes (optional)"
        placeholder="Reason for reassignment..."
        autoComplete="off"
        value={notes}
        error={error.notes}
        onChange={({ target }) => setNotes(target.value)}
      />
      <DialogActions>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Reassigning...' : 'Reassign'}
        </Button>
      </DialogActions>
    </form>
  );
}
