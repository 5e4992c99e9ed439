import { useState } from 'react';
import { useLocation } from 'wouter';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { ApiError } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { Dialog } from '#web/kit/ui/Dialog.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
import { OptionPicker } from '#web/kit/ui/OptionPicker.tsx';
import { useAssignees } from '#web/leads/lead-reads.data.ts';
import { useReassignLead } from '#web/leads/leads.data.ts';
import { USER_PICKER } from '#web/users/users.data.ts';

interface Props {
  name: LeadRef;
  profile: LeadProfile;
  onClose: () => void;
}

export function ReassignDialog({ name, profile, onClose }: Props) {
  const [, navigate] = useLocation();
  const assignees = useAssignees();
  const reassign = useReassignLead(name);
  const action = useIdempotencyKey();
  const [notes, setNotes] = useState('');
  // Once it is done the screen is left, and until then there is nothing to be pressed.
  const busy = reassign.isPending || reassign.isSuccess;
  // Also to themselves: who may hand any lead over may take one.
  const others = assignees.data?.filter(({ id }) => id !== profile.userBusiness.userId);

  const hand = (newUserId: number) => {
    const body = { newUserId, ...(notes.trim() && { notes: notes.trim() }) };
    reassign.mutate({ ...body, key: action.keyFor(body) }, { onSuccess: () => navigate('/crm') });
  };

  return (
    <Dialog
      open
      title="Reassign Business"
      description={`Hand ${profile.business.name} to somebody else. ${profile.user.fullName} holds it now.`}
      onClose={() => !busy && onClose()}
    >
      <OptionPicker
        {...USER_PICKER}
        label="Reassign to"
        query={assignees}
        options={others?.map(({ id, username, role }) => ({ value: String(id), label: `${username} (${role})` }))}
        emptyMessage="There is nobody else to hand this business to."
        validate={(userId) => (userId ? undefined : 'Please select a user to reassign to')}
        submitLabel={['Reassign', 'Reassigning...']}
        busy={busy}
        onSubmit={(userId) => hand(Number(userId))}
        onCancel={onClose}
      >
        <TextField
          label="Notes (optional)"
          placeholder="Reason for reassignment..."
          autoComplete="off"
          value={notes}
          error={notesRefused(reassign.error)}
          disabled={busy}
          onChange={({ target }) => setNotes(target.value)}
        />
      </OptionPicker>
    </Dialog>
  );
}

const notesRefused = (error: Error | null) =>
  error instanceof ApiError ? error.errors.find(({ path }) => path === 'notes')?.message : undefined;
