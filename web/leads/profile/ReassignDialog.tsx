import { useLocation } from 'wouter';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { ApiError } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { useTextDraft } from '#web/kit/storage/drafts.ts';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { OptionPicker } from '#web/kit/ui/forms/OptionPicker.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useAssignees } from '#web/leads/leads.data.ts';
import { USER_PICKER } from '#web/users/users.data.ts';
import { useReassignLead } from './profile.data.ts';

interface Props {
  leadRef: LeadRef;
  profile: LeadProfile;
  onClose: () => void;
}

export function ReassignDialog({ leadRef, profile, onClose }: Props) {
  const [, navigate] = useLocation();
  const assignees = useAssignees();
  const reassign = useReassignLead(leadRef);
  const idempotencyKey = useIdempotencyKey();
  const [notes, setNotes] = useTextDraft(useViewer().id, `${profile.userBusiness.uuid}.reassign`);
  // After success it stays busy until the navigation has replaced the screen.
  const busy = reassign.isPending || reassign.isSuccess;
  // Includes the viewer, who may take a lead over.
  const others = assignees.data?.filter(({ id }) => id !== profile.userBusiness.userId);

  const submit = (userId: string) => {
    const body = { newUserId: Number(userId), ...(notes.trim() && { notes: notes.trim() }) };
    const onSuccess = () => {
      setNotes('');
      navigate('/crm');
    };
    reassign.mutate({ ...body, key: idempotencyKey.keyFor(body) }, { onSuccess });
  };
  const cancel = () => {
    setNotes('');
    onClose();
  };

  return (
    <Dialog
      open
      title="Reassign Business"
      description={`Reassign ${profile.business.name} to another user. ${profile.user.fullName} holds it now.`}
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
        onSubmit={submit}
        onCancel={cancel}
      >
        <TextField
          label="Notes (optional)"
          placeholder="Reason for reassignment..."
          autoComplete="off"
          value={notes}
          error={findNotesError(reassign.error)}
          disabled={busy}
          onChange={({ target }) => setNotes(target.value)}
        />
      </OptionPicker>
    </Dialog>
  );
}

const findNotesError = (error: Error | null) =>
  error instanceof ApiError ? error.errors.find(({ path }) => path === 'notes')?.message : undefined;
