import { useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { ChooseUser, userOption } from '#web/kit/ui/ChooseUser.tsx';
import { Dialog } from '#web/kit/ui/Dialog.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
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
  const [typed, setNotes] = useState('');
  const busy = reassign.isPending;

  const complaint = (userId: string) => {
    // What was selected may have gone in the meantime.
    if (ids.length === 0) return 'No businesses selected for reassignment';
    return userId ? undefined : 'Please select a user to reassign to';
  };
  const hand = (newUserId: number) => {
    const notes = typed.trim();
    reassign.mutate({ ids, newUserId, ...(notes && { notes }) }, { onSuccess: onDone });
  };

  return (
    <Dialog
      open
      title="Reassign Businesses"
      description={`Hand ${ids.length} selected business(es) to somebody else.`}
      onClose={() => !busy && onClose()}
      onOriginGone={onOriginGone}
    >
      <ChooseUser
        label="Reassign to"
        asked={assignees}
        options={assignees.data?.filter(({ id }) => id !== viewer.id).map(userOption)}
        nobody="There is nobody else to hand these businesses to."
        complaint={complaint}
        verb={['Reassign', 'Reassigning...']}
        busy={busy}
        onChoose={hand}
        onCancel={onClose}
      >
        <TextField
          label="Notes"
          hint="Optional. The new holder finds them in the assignment history."
          placeholder="Reason for reassignment..."
          maxLength={1_000}
          value={typed}
          disabled={busy}
          onChange={({ target }) => setNotes(target.value)}
        />
      </ChooseUser>
    </Dialog>
  );
}
