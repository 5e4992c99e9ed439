import { formatCounted } from '#web/kit/format.ts';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { TimeChooser } from '#web/leads/follow-ups/TimeChooser.tsx';
import { type BulkLeads, countBulkLeads, useBulkPlanFollowUp } from './bulk.data.ts';

interface Props {
  leads: BulkLeads;
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

export function PlanFollowUpsDialog({ leads, onDone, onClose, onTriggerRemoved }: Props) {
  const plan = useBulkPlanFollowUp();
  return (
    <Dialog
      open
      title="Plan follow-up"
      description={`A call is planned for ${formatCounted(countBulkLeads(leads), 'selected business', 'selected businesses')}. One that is planned already is moved.`}
      onClose={() => !plan.isPending && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <TimeChooser
        label="When to follow up"
        busy={plan.isPending}
        onChoose={(at) => plan.mutate({ ...leads, type: 'call', note: '', at }, { onSuccess: onDone })}
        dismissLabel="Cancel"
        onDismiss={onClose}
      />
    </Dialog>
  );
}
