import { useState } from 'react';
import type { FollowUp } from '#contract/leads/follow-ups/follow-up.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { useCompleteFollowUp, useDropFollowUp, useFollowUp, usePlanFollowUp } from './follow-ups.data.ts';
import { NextStep } from './NextStep.tsx';
import { ReminderOffer } from './ReminderOffer.tsx';
import { TimeChooser } from './TimeChooser.tsx';

interface Props {
  leadRef: LeadRef;
  lead: Lead;
  mayChange: boolean;
}

/** The next step of a lead, on its profile. */
export function NextStepCard({ leadRef, lead, mayChange }: Props) {
  const planned = lead.nextStepAt !== null;
  const { data: followUp, isError, refetch } = useFollowUp(leadRef, planned);
  const plan = usePlanFollowUp(leadRef);
  const [choosing, setChoosing] = useState(false);
  const close = () => setChoosing(false);

  return (
    <Card>
      <CardTitle>Next Step</CardTitle>
      <div className="flex flex-col gap-3">
        {planned ? <NextStep lead={lead} /> : <p className="text-sm text-muted">Nothing is planned.</p>}
        {planned && followUp?.note && <p className="text-sm [overflow-wrap:anywhere]">{followUp.note}</p>}
        {mayChange && choosing && (
          <TimeChooser
            label="When to follow up"
            busy={plan.isPending}
            onChoose={(at) => plan.mutate({ ...keep(planned ? followUp : null), at }, { onSuccess: close })}
            dismissLabel="Cancel"
            onDismiss={close}
          />
        )}
        {mayChange && !choosing && !planned && (
          <Button variant="secondary" size="sm" className="self-start" onClick={() => setChoosing(true)}>
            Plan follow-up
          </Button>
        )}
        {mayChange && !choosing && planned && followUp && (
          <OpenFollowUp leadRef={leadRef} followUpId={followUp.id} onMove={() => setChoosing(true)} />
        )}
        {planned && isError && !followUp && (
          <LoadError onRetry={() => void refetch()}>The next step could not be loaded.</LoadError>
        )}
        <ReminderOffer />
      </div>
    </Card>
  );
}

/** Moving changes the time alone. */
const keep = (followUp: FollowUp | null | undefined) => (followUp ? { type: followUp.type, note: followUp.note } : {});

interface OpenProps extends Pick<Props, 'leadRef'> {
  followUpId: number;
  onMove: () => void;
}

function OpenFollowUp({ leadRef, followUpId, onMove }: OpenProps) {
  const complete = useCompleteFollowUp(leadRef);
  const drop = useDropFollowUp(leadRef);
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" busy={complete.isPending} onClick={() => complete.mutate({ followUpId, body: {} })}>
        Done
      </Button>
      <Button variant="secondary" size="sm" onClick={onMove}>
        Move
      </Button>
      <Button variant="ghost" size="sm" busy={drop.isPending} onClick={() => drop.mutate(followUpId)}>
        Drop
      </Button>
    </div>
  );
}
