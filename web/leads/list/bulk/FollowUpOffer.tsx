import { Button } from '#web/kit/ui/Button.tsx';
import { TimeChooser } from '#web/leads/follow-ups/TimeChooser.tsx';
import { useBulkDropFollowUps, useBulkPlanFollowUp } from './bulk.data.ts';

/** What is offered after a bulk change: a time for leads to contact again, or to drop what is planned on closed ones. */
export interface Offer {
  action: 'plan' | 'drop';
  ids: number[];
}

interface Props {
  offer: Offer;
  /** Something was chosen, and the offer is about to disappear with the focused button. */
  onDone: () => void;
}

export function FollowUpOffer({ offer: { action, ids }, onDone }: Props) {
  return (
    <section
      aria-label="Follow-ups"
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      {action === 'plan' ? <PlanTimes ids={ids} onDone={onDone} /> : <DropPlanned ids={ids} onDone={onDone} />}
    </section>
  );
}

function PlanTimes({ ids, onDone }: { ids: number[]; onDone: () => void }) {
  const plan = useBulkPlanFollowUp();
  return (
    <>
      <p aria-live="polite" className="text-sm font-medium">
        When will you contact {ids.length === 1 ? 'this business' : `these ${ids.length} businesses`} again?
      </p>
      <TimeChooser
        label="When to follow up"
        busy={plan.isPending}
        onChoose={(at) => plan.mutate({ ids, type: 'call', note: '', at }, { onSuccess: onDone })}
        dismissLabel="No date"
        onDismiss={onDone}
      />
    </>
  );
}

function DropPlanned({ ids, onDone }: { ids: number[]; onDone: () => void }) {
  const drop = useBulkDropFollowUps();
  const followUps = ids.length === 1 ? 'follow-up' : 'follow-ups';
  return (
    <>
      <p aria-live="polite" className="text-sm font-medium">
        {ids.length} of these businesses {ids.length === 1 ? 'has' : 'have'} a planned follow-up.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="sm"
          busy={drop.isPending}
          onClick={() => drop.mutate({ ids }, { onSuccess: onDone })}
        >
          Drop {ids.length} planned {followUps}
        </Button>
        <Button variant="ghost" size="sm" onClick={onDone}>
          Keep {ids.length === 1 ? 'it' : 'them'}
        </Button>
      </div>
    </>
  );
}
