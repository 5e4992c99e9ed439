import { useViewer } from '#web/auth/session.data.ts';
import { formatCounted } from '#web/kit/format.ts';
import { useTextDraft } from '#web/kit/storage/drafts.ts';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { OptionPicker } from '#web/kit/ui/forms/OptionPicker.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useAssignees } from '#web/leads/leads.data.ts';
import { toUserOption, USER_PICKER } from '#web/users/users.data.ts';
import { type BulkLeads, countBulkLeads, useBulkReassign } from './bulk.data.ts';

/** The keys of the drafts of the list start with it. */
export const LIST_DRAFTS = 'leads.';

interface Props {
  leads: BulkLeads;
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

export function ReassignLeadsDialog({ leads, onDone, onClose, onTriggerRemoved }: Props) {
  const viewer = useViewer();
  const assignees = useAssignees();
  const reassign = useBulkReassign();
  const [text, setText] = useTextDraft(viewer.id, `${LIST_DRAFTS}reassign`);
  const busy = reassign.isPending;
  const count = countBulkLeads(leads);

  const validate = (userId: string) => {
    // The selected leads may have left the list meanwhile.
    if (count === 0) return 'No businesses selected for reassignment';
    return userId ? undefined : 'Please select a user to reassign to';
  };
  const submit = (userId: string) => {
    const notes = text.trim();
    reassign.mutate({ ...leads, newUserId: Number(userId), ...(notes && { notes }) }, { onSuccess });
  };
  const onSuccess = () => {
    setText('');
    onDone();
  };
  const cancel = () => {
    setText('');
    onClose();
  };

  return (
    <Dialog
      open
      title="Reassign Businesses"
      description={`Reassign ${formatCounted(count, 'selected business', 'selected businesses')} to another user.`}
      onClose={() => !busy && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <OptionPicker
        {...USER_PICKER}
        label="Reassign to"
        query={assignees}
        options={assignees.data?.filter(({ id }) => id !== viewer.id).map(toUserOption)}
        emptyMessage="There is nobody else to hand these businesses to."
        validate={validate}
        submitLabel={['Reassign', 'Reassigning...']}
        busy={busy}
        onSubmit={submit}
        onCancel={cancel}
      >
        <TextField
          label="Notes"
          hint="Optional. The new holder finds them in the assignment history."
          placeholder="Reason for reassignment..."
          maxLength={1_000}
          value={text}
          disabled={busy}
          onChange={({ target }) => setText(target.value)}
        />
      </OptionPicker>
    </Dialog>
  );
}
